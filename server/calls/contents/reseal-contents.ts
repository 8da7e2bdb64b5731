import type { Runtime } from '../../core/runtime';
import { contentContext } from './content';
import { listContentsSealedBefore, replaceSealedContent } from './store';

const BATCH = 100;

/**
 * Reseals the contents that an old vault key has sealed.
 * @param reseal returns null for a value that it cannot open
 * @returns how many were resealed
 */
export async function resealContents(
  { db, ports }: Pick<Runtime, 'db' | 'ports'>,
  reseal: (id: string, sealed: string, context: string) => string | null,
): Promise<number> {
  const { keyId: vaultKeyId } = ports.vault;
  let resealed = 0;
  for (let after = ''; ; ) {
    const batch = await listContentsSealedBefore(db, vaultKeyId, after, BATCH);
    for (const row of batch) {
      const context = contentContext({ accountId: row.account_id, callId: row.call_id });
      const sealed = reseal(row.call_id, row.sealed, context);
      if (sealed !== null && (await replaceSealedContent(db, row, { sealed, vaultKeyId }))) resealed++;
    }
    const last = batch.at(-1);
    if (!last || batch.length < BATCH) return resealed;
    after = last.call_id;
  }
}
