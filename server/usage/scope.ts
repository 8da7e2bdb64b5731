import type { Runtime } from '../core/runtime';
import type { SessionActor } from '../core/trpc/actor';
import { getKey } from '../identity/keys/get-key';
import { chooseAccount } from '../money/billing/choose-account';
import { listViewableAccounts } from '../money/billing/list-viewable';
import type { UsageFilter } from './schema';

/** The charged accounts to report on, and how to show them. */
export interface UsageScope {
  accounts: readonly ScopeAccount[];
  /** The requested account; null for all accounts. */
  account: ScopeAccount | null;
  isTeam: boolean;
}

export interface ScopeAccount {
  id: string;
  slug: string | null;
  name: string;
  /** The viewer's role in the account. */
  role: 'owner' | 'admin' | 'member';
}

/**
 * Resolves the accounts of a filter. For all accounts, a key must belong to the user; for a team,
 * any key may have charged it.
 * @throws GatewayError FORBIDDEN if the user is not a member of the team, NOT_FOUND for a key of
 *   another account
 */
export async function resolveScope(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  filter: UsageFilter,
): Promise<UsageScope> {
  if (filter.every_account) {
    if (filter.key_id !== undefined) await getKey(runtime, actor, filter.key_id);
    return { accounts: await listViewableAccounts(runtime, actor), account: null, isTeam: false };
  }
  const { id, slug, name, type, role } = await chooseAccount(runtime, actor, filter.billing, 'member');
  const isTeam = type === 'team';
  if (!isTeam && filter.key_id !== undefined) await getKey(runtime, actor, filter.key_id);
  const account = { id, slug, name, role };
  return { accounts: [account], account, isTeam };
}
