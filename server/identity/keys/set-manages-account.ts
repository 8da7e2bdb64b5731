import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { chooseKeyAccount } from './choose-key-account';
import { describeKey } from './describe-key';
import { keyNotFound } from './key-errors';
import type { ApiKey } from './schema';
import { updateManagesAccount } from './store';

/**
 * Sets whether a key may manage its account, from its next request. Requires a session, so that a
 * key cannot extend its own rights.
 * @throws GatewayError NOT_FOUND, also for a revoked key or a key of another account; INVALID_INPUT
 *   for a key with a credit limit or rules, or of a team
 */
export async function setManagesAccount(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  { id, manages_account: managesAccount }: { id: string; manages_account: boolean },
): Promise<ApiKey> {
  return await runtime.db.transaction(async (tx) => {
    const account = await chooseKeyAccount(tx, actor, id, 'change');
    if (account.team) throw cannotManage('A key of a team cannot manage it.');
    const row = await updateManagesAccount(tx, account.id, id, managesAccount);
    if (!row) throw keyNotFound();
    const key = describeKey(row);
    if (managesAccount && !key.manages_account)
      throw cannotManage(row.creditsMicrousd === null ? HAS_RULES : HAS_CREDIT_LIMIT);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'key.set_manages_account',
      accountId: actor.accountId,
      target: id,
      details: { manages_account: managesAccount },
    });
    return key;
  });
}

const HAS_CREDIT_LIMIT = 'A key with a credit limit cannot manage the account. Use a key without `credits`.';
const HAS_RULES = 'A key with rules cannot manage the account. Remove its rules first.';

function cannotManage(message: string): GatewayError {
  return new GatewayError('INVALID_INPUT', {
    message: `manages_account: ${message}`,
    details: { fields: [{ path: 'manages_account', message }] },
  });
}
