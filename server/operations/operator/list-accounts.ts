import type { Runtime } from '../../core/runtime';
import { encodeCursor, matchCursor, splitPage } from '../../core/trpc/cursor';
import { usdFromMicrousd } from '../../kit/money';
import { type AccountDbRow, accountCursor, listAccounts as listRows } from './accounts-store';
import { toIso } from './operator';
import { findReferredAccounts } from './references-store';
import type { AccountList, AccountRow, AccountsInput } from './schema';

const PAGE = 30;
/** How many characters of a key its mask shows; the rest of a pasted key is ignored. */
const KEY_PREFIX_CHARS = 12;
const CURSOR = /^(-?\d{1,19}):([A-Za-z0-9_-]{1,100})$/;

/**
 * Lists accounts in pages, newest first or as sorted; closed ones only if the status requests them,
 * or the search is for something of theirs.
 * @throws GatewayError INVALID_INPUT for an invalid cursor
 */
export async function listAccounts(
  runtime: Pick<Runtime, 'db'>,
  { q, status, sort, cursor }: AccountsInput,
): Promise<AccountList> {
  const wanted = q?.startsWith('tg_live_') ? q.slice(0, KEY_PREFIX_CHARS) : q;
  const [, value = '', id = ''] = cursor === undefined ? [] : matchCursor(cursor, CURSOR);
  const after = id === '' ? null : { value, id };
  const referred = q ? await findReferredAccounts(runtime.db, q) : [];
  const rows = await listRows(runtime.db, { q: wanted, referred, status, sort }, after, PAGE + 1);
  const { page, last } = splitPage(rows, PAGE);
  return {
    accounts: page.map(describeAccount),
    next_cursor: last && encodeCursor(accountCursor(last, sort)),
  };
}

/** An account as it appears in the operator's lists. Pure. */
export function describeAccount(row: AccountDbRow): AccountRow {
  return {
    account_id: row.id,
    type: row.type,
    name: row.name,
    slug: row.slug,
    email: row.email,
    balance_usd: usdFromMicrousd(row.balance),
    held_usd: usdFromMicrousd(row.held),
    debt_usd: usdFromMicrousd(row.debt),
    spent_30d_usd: usdFromMicrousd(row.spent),
    frozen: row.frozen_at !== null,
    disputed: row.disputed_at !== null,
    closed: row.closed_at !== null,
    created_at: toIso(row.created_at),
  };
}
