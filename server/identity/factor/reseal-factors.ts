import type { Runtime } from '../../core/runtime';
import { countFactorSecrets, listFactorsBefore, replaceSealedSecret } from './store';
import { factorContext } from './totp';

/** Counts the sealed secrets by vault key. */
export function countFactors({ db }: Pick<Runtime, 'db'>): Promise<Map<string, number>> {
  return countFactorSecrets(db);
}

/**
 * Reseals the secrets under the current vault key.
 * @param reseal returns null for a value that cannot be opened
 */
export async function resealFactors(
  { db, ports }: Pick<Runtime, 'db' | 'ports'>,
  reseal: (id: string, sealed: string, context: string) => string | null,
): Promise<number> {
  let resealed = 0;
  for (const row of await listFactorsBefore(db, ports.vault.keyId)) {
    const next = reseal(row.userId, row.sealed, factorContext(row.userId));
    if (next !== null && (await replaceSealedSecret(db, row, next))) resealed++;
  }
  return resealed;
}
