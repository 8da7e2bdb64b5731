import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { describeKey } from './describe-key';
import { keyNotFound } from './get-key';
import type { ApiKey } from './schema';
import { updateManagesAccount } from './store';

/**
 * Sets whether a key may manage its account, from its next request. Requires a session, so that a
 * key cannot extend its own rights.
 * @throws GatewayError NOT_FOUND, also for a revoked key or a key of another account; INVALID_INPUT
 *   for a key with an allowance
 */
export async function setManagesAccount(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  { id, manages_account: managesAccount }: { id: string; manages_account: boolean },
): Promise<ApiKey> {
  return await runtime.db.transaction(async (tx) => {
    const row = await updateManagesAccount(tx, actor.accountId, id, managesAccount);
    if (!row) throw keyNotFound();
    if (managesAccount && row.creditsMicrousd !== null) throw hasAllowance();
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'key.set_manages_account',
      accountId: actor.accountId,
      target: id,
      details: { manages_account: managesAccount },
    });
    return describeKey(row);
  });
}

function hasAllowance(): GatewayError {
  const message = 'A key with an allowance cannot manage the account. Use a key without `credits`.';
  return new GatewayError('INVALID_INPUT', {
    message: `manages_account: ${message}`,
    details: { fields: [{ path: 'manages_account', message }] },
  });
}
