import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { usdFromMicrousd } from '../../kit/money';
import { findAccount, findAccountBySlug, findPersonalAccount, findUser, findUserByEmail } from './store';

/** An account in the operator's API and the admin CLI. */
export interface AccountState {
  account_id: string;
  type: 'provisional' | 'personal' | 'team';
  name: string;
  slug: string | null;
  email: string | null;
  balance_usd: number;
  held_usd: number;
  debt_usd: number;
  frozen_at: string | null;
  frozen_reason: string | null;
  claimed_by: string | null;
  closed_at: string | null;
  created_at: string;
}

/** Selects an account by id, by its owner's email address (personal accounts), or by team slug. */
export type AccountSelector = { accountId: string } | { email: string } | { teamSlug: string };

/**
 * Resolves a selector to an account id.
 * @throws GatewayError NOT_FOUND, naming the id, address or slug
 */
export async function resolveAccountId(
  runtime: Pick<Runtime, 'db'>,
  wanted: AccountSelector,
): Promise<string> {
  if ('accountId' in wanted) {
    if (await findAccount(runtime.db, wanted.accountId)) return wanted.accountId;
    throw new GatewayError('NOT_FOUND', { message: `There is no account ${wanted.accountId}.` });
  }
  if ('teamSlug' in wanted) {
    const team = await findAccountBySlug(runtime.db, wanted.teamSlug);
    if (team) return team.id;
    throw new GatewayError('NOT_FOUND', { message: `There is no team ${wanted.teamSlug}.` });
  }
  const user = await findUserByEmail(runtime.db, wanted.email);
  const account = user ? await findPersonalAccount(runtime.db, user.id) : null;
  if (account) return account.id;
  throw new GatewayError('NOT_FOUND', { message: `No account has the email address ${wanted.email}.` });
}

/**
 * Returns an account's state, without its keys.
 * @throws GatewayError NOT_FOUND
 */
export async function getAccountState(
  runtime: Pick<Runtime, 'db'>,
  accountId: string,
): Promise<AccountState> {
  const row = await findAccount(runtime.db, accountId);
  if (!row) throw new GatewayError('NOT_FOUND', { message: `There is no account ${accountId}.` });
  const owner = row.ownerUserId ? await findUser(runtime.db, row.ownerUserId) : null;
  return {
    account_id: row.id,
    type: row.type,
    name: row.name,
    slug: row.slug,
    email: owner?.email ?? null,
    balance_usd: usdFromMicrousd(row.balanceMicrousd),
    held_usd: usdFromMicrousd(row.heldMicrousd),
    debt_usd: usdFromMicrousd(row.debtMicrousd),
    frozen_at: row.frozenAt?.toISOString() ?? null,
    frozen_reason: row.frozenReason,
    claimed_by: row.claimedByAccountId,
    closed_at: row.closedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
  };
}

/** Returns the person of a personal account; null if it has none. */
export async function getOwner(runtime: Pick<Runtime, 'db'>, accountId: string): Promise<string | null> {
  const row = await findAccount(runtime.db, accountId);
  return row?.type === 'personal' ? row.ownerUserId : null;
}
