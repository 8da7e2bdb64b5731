import type { Executor } from '@/db/client';
import { writeAudit } from '../accounts/audit';
import { claimRequired } from '../accounts/claim-url';
import { type Actor, actorName } from '../auth/actor';
import { microusdFromUsd } from '../billing/money';
import { GatewayError } from '../errors/gateway-error';
import { newId } from '../ids';
import type { Runtime } from '../runtime';
import { describeKey } from './describe-key';
import { generateKey } from './key-format';
import type { CreatedApiKey } from './schema';
import { countActiveKeys, insertKey } from './store';

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
  return await runtime.db.transaction((tx) =>
    issueKey(tx, actorName(actor), {
      accountId: actor.accountId,
      name,
      creditsMicrousd: credits === undefined ? null : microusdFromUsd(credits),
    }),
  );
}

/**
 * The part of it that writes, for acts that make a key together with something else.
 * @param by who does it, as the audit log names them
 * @throws GatewayError FORBIDDEN for an account with as many keys as it may have
 */
export async function issueKey(
  tx: Executor,
  by: string,
  row: { accountId: string; name?: string; creditsMicrousd: bigint | null },
): Promise<CreatedApiKey> {
  if ((await countActiveKeys(tx, row.accountId)) >= MAX_ACTIVE_KEYS)
    throw new GatewayError('FORBIDDEN', {
      message: `An account has at most ${MAX_ACTIVE_KEYS} active keys.`,
      hint: 'Revoke keys that are no longer used.',
    });
  const key = generateKey();
  const inserted = await insertKey(tx, {
    id: newId('key'),
    accountId: row.accountId,
    name: row.name ?? 'API key',
    keyHash: key.hash,
    mask: key.mask,
    creditsMicrousd: row.creditsMicrousd,
  });
  await writeAudit(tx, { actor: by, action: 'key.create', accountId: row.accountId, target: inserted.id });
  return { ...describeKey(inserted), secret: key.secret };
}
