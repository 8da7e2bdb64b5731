import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, boolean, defineRow, integer, type RowOf, text, timestamptz } from '@/db/rows';
import { NOT_SEEDED } from '../../catalog/tools/not-seeded';
import { usageBetween } from '../../usage/days-store';
import { toPart } from './account-names';
import type { AccountsInput } from './schema';

// Operators see every account, so these queries do not filter by the caller's account.

const accountDbRow = defineRow({
  id: text(),
  type: text<'provisional' | 'personal' | 'team'>(),
  name: text(),
  slug: text().nullable(),
  email: text().nullable(),
  balance: bigint(),
  held: bigint(),
  debt: bigint(),
  spent: bigint(),
  month_spent: bigint(),
  month_limit: bigint().nullable(),
  auto_reload: boolean(),
  frozen_at: timestamptz().nullable(),
  frozen_reason: text().nullable(),
  second_factor: boolean(),
  disputed_at: timestamptz().nullable(),
  claimed_by: text().nullable(),
  closed_at: timestamptz().nullable(),
  created_at: timestamptz(),
});
export type AccountDbRow = RowOf<typeof accountDbRow>;

const SPENT_MS = 30 * 86_400_000;

/**
 * What an account spent in 30 days, read per account, or of all at once where all are sorted by it.
 */
function joinSpent(of: 'each' | 'all'): SQL {
  const from = new Date(Date.now() - SPENT_MS);
  const spent = sql`sum(r.raw_cost_microusd + r.markup_microusd) as spent`;
  return of === 'each'
    ? sql`left join lateral (
        select ${spent} from ${usageBetween(sql`account_id = a.id and ${NOT_SEEDED}`, from, null)} r
      ) s on true`
    : sql`left join (
        select r.account_id, ${spent} from ${usageBetween(NOT_SEEDED, from, null)} r group by r.account_id
      ) s on s.account_id = a.id`;
}

const selectAccounts = (spent: SQL) => sql`
  select a.id, a.type, a.name, a.slug, u.email, a.balance_microusd as balance, a.held_microusd as held,
    a.debt_microusd as debt, coalesce(s.spent, 0)::bigint as spent,
    case when a.month_start = (date_trunc('month', now(), 'UTC') at time zone 'UTC')::date
      then a.month_spent_microusd else 0 end as month_spent,
    a.budget_limit_microusd as month_limit, a.auto_reload_enabled as auto_reload, a.frozen_at, a.frozen_reason,
    exists (select 1 from second_factors f where f.user_id = a.owner_user_id
      and f.confirmed_at is not null and a.type = 'personal') as second_factor,
    a.disputed_at, a.claimed_by_account_id as claimed_by, a.closed_at, a.created_at
  from accounts a left join users u on u.id = a.owner_user_id and u.email not like '%@deleted.invalid'
    ${spent}`;

const STATUS = {
  provisional: sql`a.type = 'provisional' and a.closed_at is null`,
  personal: sql`a.type = 'personal' and a.closed_at is null`,
  team: sql`a.type = 'team' and a.closed_at is null`,
  frozen: sql`a.frozen_at is not null`,
  debt: sql`a.debt_microusd > 0`,
  closed: sql`a.closed_at is not null`,
} satisfies Record<NonNullable<AccountsInput['status']>, SQL>;

/** The value of the last row of a page is in the cursor. Ids are in order of time. */
const SORTED = {
  created: { place: sql`a.id`, valueOf: () => 0n },
  balance: {
    place: sql`row(a.balance_microusd - a.debt_microusd, a.id)`,
    valueOf: ({ balance, debt }: AccountDbRow) => balance - debt,
  },
  spent: {
    place: sql`row(coalesce(s.spent, 0)::bigint, a.id)`,
    valueOf: ({ spent }: AccountDbRow) => spent,
  },
};

function readAccountSort(sort: AccountsInput['sort']) {
  const [by, direction] = (sort ?? 'created.desc').split('.');
  const column = by === 'balance' || by === 'spent' ? by : 'created';
  return { column, descends: direction !== 'asc' } as const;
}

/** The cursor after an account: what the list is sorted by, and the id. */
export function accountCursor(row: AccountDbRow, sort: AccountsInput['sort']): string {
  return `${SORTED[readAccountSort(sort).column].valueOf(row)}:${row.id}`;
}

/**
 * Finds accounts by id, name, slug, the email address of their owner or a member, or the beginning
 * of an API key.
 * @param referred instead: the accounts of what was searched for, such as a call
 */
export async function listAccounts(
  db: Executor,
  { q, referred, status, sort }: Pick<AccountsInput, 'q' | 'status' | 'sort'> & { referred: string[] },
  after: { value: string; id: string } | null,
  limit: number,
): Promise<AccountDbRow[]> {
  const { column, descends } = readAccountSort(sort);
  const { place } = SORTED[column];
  const toPlace = ({ value, id }: { value: string; id: string }) =>
    column === 'created' ? sql`${id}` : sql`row(${value}::bigint, ${id})`;
  const direction = descends ? sql`desc` : sql`asc`;
  const found = referred.length > 0 ? sql`a.id = any(${sql.param(referred)}::text[])` : q && matchesQuery(q);
  const open = referred.length > 0 ? sql`true` : sql`a.closed_at is null`;
  return await accountDbRow.read(
    db.execute(sql`${selectAccounts(joinSpent(column === 'spent' ? 'all' : 'each'))}
      where ${status ? STATUS[status] : open}
        ${after === null ? sql`` : sql`and ${place} ${descends ? sql`<` : sql`>`} ${toPlace(after)}`}
        ${found ? sql`and ${found}` : sql``}
      order by ${place} ${direction} limit ${limit}`),
  );
}

function matchesQuery(q: string): SQL {
  const part = toPart(q);
  // A mask contains the beginning of its key, so it is compared with what was typed.
  const key = q.startsWith('tg_live_') ? sql`left(k.mask, ${q.length}) = ${q}` : sql`k.id = ${q}`;
  return sql`(a.id = ${q} or a.slug ilike ${part} or u.email ilike ${part} or a.name ilike ${part}
    or exists (select 1 from memberships m join users p on p.id = m.user_id
      where m.account_id = a.id and p.email ilike ${part})
    or exists (select 1 from api_keys k where k.account_id = a.id and ${key}))`;
}

export async function findAccount(db: Executor, id: string): Promise<AccountDbRow | null> {
  const [row] = await accountDbRow.read(
    db.execute(sql`${selectAccounts(joinSpent('each'))} where a.id = ${id}`),
  );
  return row ?? null;
}

const memberRow = defineRow({ user_id: text(), email: text(), name: text().nullable(), role: text() });

export async function listMembers(db: Executor, accountId: string) {
  return await memberRow.read(
    db.execute(sql`
      select m.user_id, u.email, u.name, m.role from memberships m join users u on u.id = m.user_id
      where m.account_id = ${accountId} order by m.created_at, m.user_id limit 500`),
  );
}

const countRow = defineRow({ n: integer() });

export async function countRunning(db: Executor, accountId: string): Promise<number> {
  const [row] = await countRow.read(
    db.execute(sql`
      select count(*)::int as n from calls where account_id = ${accountId}`),
  );
  return row?.n ?? 0;
}
