import { writeAudit } from '../accounts/audit';
import { claimRequired } from '../accounts/claim-url';
import { type Actor, actorName } from '../auth/actor';
import { microusdFromUsd } from '../billing/money';
import { GatewayError } from '../errors/gateway-error';
import type { Runtime } from '../runtime';
import { describeKey } from './describe-key';
import { issueKey } from './issue-key';
import type { CreatedApiKey } from './schema';
import { countActiveKeys } from './store';

/** Enough for any honest use; keeps lists and pages bounded. */
export const MAX_ACTIVE_KEYS = 500;

/**
 * A new key of the asker's account, its secret told this once.
 * @param credits an allowance in dollars; undefined for none
 * @throws GatewayError CLAIM_REQUIRED for a provisional account, FORBIDDEN for a frozen or full one
 */
export async function createKey(
  runtime: Runtime,
  actor: Actor,
  { name, credits }: { name?: string; credits?: number },
): Promise<CreatedApiKey> {
  if (actor.accountType === 'provisional')
    throw await claimRequired(runtime, actor.accountId, 'New keys need a claimed account.');
  if (actor.accountFrozen) throw new GatewayError('FORBIDDEN', { message: 'This account is frozen.' });
  if ((await countActiveKeys(runtime.db, actor.accountId)) >= MAX_ACTIVE_KEYS)
    throw new GatewayError('FORBIDDEN', {
      message: `An account has at most ${MAX_ACTIVE_KEYS} active keys.`,
      hint: 'Revoke keys that are no longer used.',
    });
  const { row, secret } = await runtime.db.transaction(async (tx) => {
    const issued = await issueKey(tx, {
      accountId: actor.accountId,
      name: name ?? 'API key',
      creditsMicrousd: credits === undefined ? null : microusdFromUsd(credits),
    });
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'key.create',
      accountId: actor.accountId,
      target: issued.row.id,
    });
    return issued;
  });
  return { ...describeKey(row), secret };
}
