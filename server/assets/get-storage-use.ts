import type { Runtime } from '../core/runtime';
import type { Actor } from '../core/trpc/actor';
import { getStorageSpace } from './quota';
import { sumStorage } from './store';

/** What the files of an account use of its quota. */
export async function getStorageUse(
  { db, settings }: Pick<Runtime, 'db' | 'settings'>,
  { accountId, accountType }: Pick<Actor, 'accountId' | 'accountType'>,
): Promise<{ usedBytes: number; quotaBytes: number; files: number }> {
  const use = await sumStorage(db, accountId);
  const account = { accountId, provisional: accountType === 'provisional', frozen: false };
  const { quotaBytes } = getStorageSpace({ ...account, ...use }, settings.assetQuotaMib);
  return { usedBytes: use.usedBytes, quotaBytes, files: use.count };
}
