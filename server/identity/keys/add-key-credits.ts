import { writeAudit } from '../../core/audit/audit';
import { claimRequired } from '../../core/claims/claim-url';
import { GatewayError } from '../../core/errors/gateway-error';
import { runOnce, saveResponseOrThrow } from '../../core/idempotency/run-once';
import { actorName } from '../../core/trpc/actor';
import type { AccountContext } from '../../core/trpc/context';
import { MAX_MICROUSD, microusdFromUsd } from '../../kit/money';
import { chooseKeyAccount } from './choose-key-account';
import { describeKey } from './describe-key';
import { keyNotFound } from './key-errors';
import type { ApiKey } from './schema';
import { raiseCredits } from './store';

/** `amount` is in dollars, above zero. */
interface CreditsIncrease {
  id: string;
  amount: number;
}

/**
 * Raises the credit limit of a key within its account. Creates no credit.
 * @throws GatewayError CLAIM_REQUIRED; NOT_FOUND; INVALID_INPUT if it would exceed the maximum
 */
export async function addKeyCredits(context: AccountContext, added: CreditsIncrease): Promise<ApiKey> {
  return await runOnce<ApiKey>(context, { operation: 'keys.addCredits', body: added }, async (claim) => {
    const { runtime, actor } = context;
    if (actor.accountType === 'provisional')
      throw await claimRequired(runtime, actor.accountId, 'Key credits need a claimed account.');
    const microusd = microusdFromUsd(added.amount);
    if (microusd === null) throw new GatewayError('INVALID_INPUT');
    return await runtime.db.transaction(async (tx) => {
      const account = await chooseKeyAccount(tx, actor, added.id, 'change');
      const raised = await raiseCredits(tx, account.id, added.id, microusd);
      if (!raised) throw keyNotFound();
      if ((raised.creditsMicrousd ?? 0n) > MAX_MICROUSD) throw tooLarge();
      await writeAudit(tx, {
        actor: actorName(actor),
        action: 'key.add_credits',
        accountId: account.id,
        target: added.id,
        details: { amount_usd: added.amount },
      });
      const answer = describeKey(raised);
      await saveResponseOrThrow(tx, claim, { status: 200, body: answer });
      return answer;
    });
  });
}

function tooLarge(): GatewayError {
  const message = 'The credit limit of the key would be too large.';
  return new GatewayError('INVALID_INPUT', {
    message: `amount: ${message}`,
    details: { fields: [{ path: 'amount', message }] },
  });
}
