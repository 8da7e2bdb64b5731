import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { NOT_SEEDED } from '../../catalog/tools/not-seeded';
import type { Microusd } from '../../kit/money';
import type { AccountsInput } from './schema';

// Operators see every account, so these queries do not filter by the caller's account.

export interface AccountDbRow extends Record<string, unknown> {
  id: string;
  type: 'provisional' | 'personal' | 'team';
  name: string;
  slug: string | null;
  email: string | null;
  balance: Microusd;
  held: Microusd;
  debt: Microusd;
  spent: Microusd;
  month_spent: Microusd;
  month_limit: Microusd | null;
  auto_reload: boolean;
  frozen_at: string | null;
  frozen_reason: string | null;
  disputed_at: string | null;
  claimed_by: string | null;
  closed_at: string | null;
  created_at: string;
}

const COLUMNS = sql`
  select a.id, a.type, a.name, a.slug, u.email, a.balance_microusd as balance, a.held_microusd as held,
    a.debt_microusd as debt, coalesce(s.spent, 0)::bigint as spent,
    case when a.month_start = (date_trunc('month', now(), 'UTC') at time zone 'UTC')::date
      then a.month_spent_microusd else 0 end as month_spent,
    a.budget_limit_microusd as month_limit, a.auto_reload_enabled as auto_reload, a.frozen_at, a.frozen_reason,
    a.disputed_at, a.claimed_by_account_id as claimed_by, a.closed_at, a.created_at
  from accounts a left join users u on u.id = a.owner_user_id
    left join lateral (
      select sum(r.raw_cost_microusd + r.markup_microusd) as spent from usage_rollups r
      where r.account_id = a.id and r.hour >= now() - interval '30 days' and r.${NOT_SEEDED}
    ) s on true`;

const STATUS = {
  provisional: sql`a.type = 'provisional' and a.closed_at is null`,
  personal: sql`a.type = 'personal' and a.closed_at is null`,
  team: sql`a.type = 'team' and a.closed_at is null`,
  frozen: sql`a.frozen_at is not null`,
  debt: sql`a.debt_microusd > 0`,
  closed: sql`a.closed_at is not null`,
} satisfies Record<NonNullable<AccountsInput['status']>, SQL>;

/** Finds accounts by email, name, slug, id, or the beginning of an API key, newest first. */
export async function listAccounts(
  db: Executor,
  { q, status }: Pick<AccountsInput, 'q' | 'status'>,
  before: string | null,
  limit: number,
): Promise<AccountDbRow[]> {
  return await db.execute<AccountDbRow>(sql`${COLUMNS}
    where ${status ? STATUS[status] : sql`a.closed_at is null`}
      ${before === null ? sql`` : sql`and a.id < ${before}`}
      ${q ? sql`and ${matchesQuery(q)}` : sql``}
    order by a.id desc limit ${limit}`);
}

function matchesQuery(q: string): SQL {
  const part = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  // A mask contains the beginning of its key, so it is compared with what was typed.
  const key = q.startsWith('tg_live_') ? sql`left(k.mask, ${q.length}) = ${q}` : sql`k.id = ${q}`;
  return sql`(a.id = ${q} or a.slug ilike ${part} or u.email ilike ${part} or a.name ilike ${part}
    or exists (select 1 from api_keys k where k.account_id = a.id and ${key}))`;
}

export async function findAccount(db: Executor, id: string): Promise<AccountDbRow | null> {
  const [row] = await db.execute<AccountDbRow>(sql`${COLUMNS} where a.id = ${id}`);
  return row ?? null;
}

export async function listMembers(db: Executor, accountId: string) {
  return await db.execute<{ user_id: string; email: string; name: string | null; role: string }>(sql`
    select m.user_id, u.email, u.name, m.role from memberships m join users u on u.id = m.user_id
    where m.account_id = ${accountId} order by m.created_at, m.user_id limit 500`);
}

export async function countRunning(db: Executor, accountId: string): Promise<number> {
  const [row] = await db.execute<{ n: number }>(sql`
    select count(*)::int as n from calls where account_id = ${accountId}`);
  return row?.n ?? 0;
}

export interface CallDbRow extends Record<string, unknown> {
  id: string;
  tool: string;
  skill: string;
  status: 'success' | 'error';
  error_code: string | null;
  cost: Microusd;
  latency_ms: number;
  key_id: string;
  finished_at: string;
}

/** The account's charged calls, newest first. */
export async function listCalls(
  db: Executor,
  accountId: string,
  before: string | null,
  limit: number,
): Promise<CallDbRow[]> {
  return await db.execute<CallDbRow>(sql`
    select id, tool, skill, status, error_code, raw_cost_microusd + markup_microusd as cost, latency_ms, key_id,
      finished_at
    from usage_records where account_id = ${accountId} ${before === null ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`);
}
