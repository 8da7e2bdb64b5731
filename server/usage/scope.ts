import type { Runtime } from '../core/runtime';
import type { SessionActor } from '../core/trpc/actor';
import { getKey } from '../identity/keys/get-key';
import { chooseAccount } from '../money/billing/choose-account';
import { listViewableAccounts } from '../money/billing/list-viewable';
import type { UsageFilter } from './schema';

/** Whose usage is looked at: the accounts that were charged, and as what they are shown. */
export interface UsageScope {
  accounts: readonly ScopeAccount[];
  /** The one account that was named; null where it is every one of theirs. */
  account: ScopeAccount | null;
  isTeam: boolean;
}

export interface ScopeAccount {
  id: string;
  slug: string | null;
  name: string;
}

/**
 * Whose usage a filter asks for. A key is looked for among those of the account: for every account it must be one's own,
 * for a team any key may have charged it.
 * @throws GatewayError FORBIDDEN for a team that the person is not in, NOT_FOUND for a key that is not theirs
 */
export async function scopeOf(
  runtime: Runtime,
  actor: SessionActor,
  filter: UsageFilter,
): Promise<UsageScope> {
  if (filter.every_account) {
    if (filter.key_id !== undefined) await getKey(runtime, actor, filter.key_id);
    return { accounts: await listViewableAccounts(runtime, actor), account: null, isTeam: false };
  }
  const { id, slug, name, type } = await chooseAccount(runtime, actor, filter.billing, 'member');
  const isTeam = type === 'team';
  if (!isTeam && filter.key_id !== undefined) await getKey(runtime, actor, filter.key_id);
  const account = { id, slug, name };
  return { accounts: [account], account, isTeam };
}
