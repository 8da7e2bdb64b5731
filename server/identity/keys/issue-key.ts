import type { Executor } from '@/db/client';
import { newId } from '../../kit/ids';
import type { Microusd } from '../../kit/money';
import { generateKey, type NewKey } from './key-format';
import { insertKey, type KeyColumns, type KeyRow } from './store';

/**
 * Creates a key in the caller's transaction.
 * @param options.rules columns of toKeyColumns
 * @param options.drawn a secret that was drawn before
 * @param creditsMicrousd its credit limit; null: none
 * @returns the stored row, and the secret, which is not stored
 */
export async function issueKey(
  tx: Executor,
  key: {
    accountId: string;
    name: string;
    creditsMicrousd: Microusd | null;
    seeded?: boolean;
    managesAccount?: boolean;
  },
  { rules, drawn = generateKey() }: { rules?: KeyColumns; drawn?: NewKey } = {},
): Promise<{ row: KeyRow; secret: string }> {
  const { secret, hash, mask } = drawn;
  const row = await insertKey(tx, { ...key, ...rules, id: newId('key'), keyHash: hash, mask });
  return { row, secret };
}
