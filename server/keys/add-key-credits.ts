import { writeAudit } from '../accounts/audit';
import { claimRequired } from '../accounts/claim-url';
import { type Actor, actorName } from '../auth/actor';
import { MAX_MICROUSD, microusdFromUsd } from '../billing/money';
import { GatewayError } from '../errors/gateway-error';
import type { Runtime } from '../runtime';
import { describeKey } from './describe-key';
import { keyNotFound } from './get-key';
import type { ApiKey } from './schema';
import { raiseCredits } from './store';

/**
 * Adds to what a key may spend inside its account; creates no money.
 * @param amount dollars above zero
 * @throws GatewayError CLAIM_REQUIRED, NOT_FOUND, INVALID_INPUT where the allowance would pass all bounds
 */
export async function addKeyCredits(
  runtime: Runtime,
  actor: Actor,
  id: string,
  amount: number,
): Promise<ApiKey> {
  if (actor.accountType === 'provisional')
    throw await claimRequired(runtime, actor.accountId, 'Key credits need a claimed account.');
  if (actor.accountFrozen) throw new GatewayError('FORBIDDEN', { message: 'This account is frozen.' });
  const microusd = microusdFromUsd(amount);
  if (microusd === null) throw new GatewayError('INVALID_INPUT');
  const row = await runtime.db.transaction(async (tx) => {
    const raised = await raiseCredits(tx, actor.accountId, id, microusd);
    if (!raised) throw keyNotFound();
    if ((raised.creditsMicrousd ?? 0n) > MAX_MICROUSD)
      throw new GatewayError('INVALID_INPUT', {
        message: 'amount: The allowance of the key would be too large.',
        details: { fields: [{ path: 'amount', message: 'The allowance of the key would be too large.' }] },
      });
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'key.add_credits',
      accountId: actor.accountId,
      target: id,
      details: { amount_usd: amount },
    });
    return raised;
  });
  return describeKey(row);
}
