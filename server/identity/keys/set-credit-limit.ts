import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { formatUsd, limitFromUsd } from '../../kit/money';
import { chooseKeyAccount } from './choose-key-account';
import { describeKey } from './describe-key';
import { keyNotFound } from './key-errors';
import type { ApiKey, CreditLimitInput } from './schema';
import { lockKey, setCredits } from './store';

/**
 * Sets the most that a key may spend in total, past calls included; null: no limit. Requires a
 * session, so that a key cannot lift its own limit.
 * @throws GatewayError NOT_FOUND, also for a revoked key or a key of another account; INVALID_INPUT
 *   for less than it has spent and holds
 */
export async function setCreditLimit(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  { id, credit_limit_usd: usd }: CreditLimitInput,
): Promise<ApiKey> {
  const limit = limitFromUsd(usd);
  return await runtime.db.transaction(async (tx) => {
    const account = await chooseKeyAccount(tx, actor, id, 'change');
    const key = await lockKey(tx, account.id, id);
    if (!key || key.revokedAt) throw keyNotFound();
    const used = key.creditsUsedMicrousd + key.creditsHeldMicrousd;
    if (limit !== null && limit < used) throw belowUsed(used);
    const row = await setCredits(tx, id, limit);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'key.set_credit_limit',
      accountId: account.id,
      target: id,
      details: { credit_limit_usd: usd },
    });
    return describeKey(row);
  });
}

function belowUsed(used: bigint): GatewayError {
  const message = `At least ${formatUsd(used)}, which the key has used. To stop it, revoke it.`;
  return new GatewayError('INVALID_INPUT', {
    message: `credit_limit_usd: ${message}`,
    details: { fields: [{ path: 'credit_limit_usd', message }] },
  });
}
