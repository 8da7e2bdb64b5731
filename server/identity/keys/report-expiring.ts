import type { Runtime } from '../../core/runtime';
import { emitWebhook } from '../../platform/webhooks/emit-webhook';
import { listExpiringKeys } from './store';

/** A key is reported once in each of these spans before its end: a week before and a day before. */
const SPANS_HOURS = [
  [24, 168],
  [0, 24],
] as const;

/**
 * Writes `key.expiring` for keys that will expire, once a week and once a day before. Repeated
 * runs, also in other processes, write nothing more.
 */
export async function reportExpiringKeys({ db }: Pick<Runtime, 'db'>): Promise<void> {
  for (const [from, to] of SPANS_HOURS)
    for (const { id, accountId, name, mask, expiresAt } of await listExpiringKeys(db, from, to))
      await emitWebhook(db, {
        accountId,
        type: 'key.expiring',
        data: { key_id: id, name, key_prefix: mask, expires_at: expiresAt.toISOString() },
        dedupe: `${id} ${expiresAt.toISOString()} ${to}`,
      });
}
