import type { Runtime } from '../../core/runtime';
import { countSecretsByVaultKey, listSecretsSealedBefore, replaceSealed } from './store';
import { secretContext } from './webhook-secret';

const BATCH = 200;

/** How many webhook secrets are sealed with each vault key. */
export async function countWebhookSecrets(db: Runtime['db']): Promise<Map<string, number>> {
  return new Map((await countSecretsByVaultKey(db)).map(({ key_id: keyId, count }) => [keyId, count]));
}

/**
 * Reseals the webhook secrets that an old vault key has sealed.
 * @param reseal returns null for a value that it cannot open
 */
export async function resealWebhookSecrets(
  { db, ports }: Pick<Runtime, 'db' | 'ports'>,
  reseal: (id: string, sealed: string, context: string) => string | null,
): Promise<void> {
  const { keyId } = ports.vault;
  for (let after = ''; ; ) {
    const batch = await listSecretsSealedBefore(db, keyId, after, BATCH);
    for (const row of batch)
      for (const column of ['sealed', 'previous_sealed'] as const) {
        const from = row[column];
        if (from === null || from.split('.')[1] === keyId) continue;
        const to = reseal(row.holder_id, from, secretContext(row.holder_id));
        if (to !== null) await replaceSealed(db, row.holder_id, column, { from, to });
      }
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return;
    after = last.holder_id;
  }
}
