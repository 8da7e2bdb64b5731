import type { Runtime } from '../../core/runtime';
import { describeKey } from './describe-key';
import type { ApiKey } from './schema';
import { listNearlySpent } from './store';

/**
 * Lists the active keys of an account that have spent at least this share of a limit of theirs.
 * A spending limit whose period has ended since is not spent any more: the caller checks it.
 */
export async function listNearlySpentKeys(
  { db }: Pick<Runtime, 'db'>,
  accountId: string,
  share: number,
): Promise<ApiKey[]> {
  return (await listNearlySpent(db, accountId, share)).map(describeKey);
}
