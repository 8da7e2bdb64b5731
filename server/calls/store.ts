import { arrayLiteral } from '@/db/array-literal';
import type { Sql } from '@/db/client';
import type { Quotas, WindowState } from '../core/limits/windows';
import type { Microusd } from '../kit/money';

/** One call that asks to be opened. */
export interface OpenRequest {
  id: string;
  keyId: string;
  accountId: string;
  /** `personal`, or the slug of the team that is charged. */
  billing: string;
  tool: string;
  skill: string;
  /** The most the call can cost. */
  hold: Microusd;
}

/** Why a call was not opened; the order is the order of the checks. */
export type OpenRefusal =
  | 'revoked'
  | 'moved'
  | 'frozen'
  | 'forbidden'
  | 'minute'
  | 'hour'
  | 'concurrency'
  | 'month'
  | 'debt'
  | 'disputed'
  | 'key'
  | 'account';

export interface OpenResult {
  outcome: 'opened' | OpenRefusal;
  /** What the charged account can still spend after this call's hold. */
  available: Microusd;
  windows: WindowState;
}

export interface OpenRow {
  outcome: OpenResult['outcome'];
  available: bigint;
  minute_used: number;
  minute_reset: number;
  hour_used: number;
  hour_reset: number;
}

/** Who opens, and within which bounds. */
export interface OpenOptions {
  fence: string;
  leaseSeconds: number;
  quotas: Quotas;
}

/** Opens a group of calls in one statement and one commit; results in the order of requests. */
export async function openCalls(
  sql: Sql,
  requests: OpenRequest[],
  options: OpenOptions,
): Promise<OpenResult[]> {
  const rows = await sql<
    OpenRow[]
  >`select * from open_calls(${openArguments(sql, requests)}, ${options.fence},
    ${boundArguments(sql, options)})`;
  return rows.map((row) => readOpened(row, row.outcome));
}

function openArguments(sql: Sql, requests: OpenRequest[]) {
  const keys = [...new Set(requests.map((r) => r.keyId))].sort();
  const accounts = [...new Set(requests.map((r) => r.accountId))].sort();
  const keyAt = new Map(keys.map((id, index) => [id, index + 1]));
  const accountAt = new Map(accounts.map((id, index) => [id, index + 1]));
  const paid = accounts.map(() => false);
  for (const request of requests)
    if (request.hold > 0n) paid[(accountAt.get(request.accountId) as number) - 1] = true;
  return sql`
    ${arrayLiteral(keys)}::text[], ${arrayLiteral(accounts)}::text[], ${arrayLiteral(paid)}::boolean[],
    ${arrayLiteral(requests.map((r) => r.id))}::text[],
    ${arrayLiteral(requests.map((r) => keyAt.get(r.keyId) as number))}::int[],
    ${arrayLiteral(requests.map((r) => accountAt.get(r.accountId) as number))}::int[],
    ${arrayLiteral(requests.map((r) => r.billing))}::text[],
    ${arrayLiteral(requests.map((r) => r.tool))}::text[],
    ${arrayLiteral(requests.map((r) => r.skill))}::text[],
    ${arrayLiteral(requests.map((r) => r.hold))}::bigint[]`;
}

function boundArguments(sql: Sql, { leaseSeconds, quotas }: OpenOptions) {
  return sql`${leaseSeconds}::int, ${quotas.perMinute}::int, ${quotas.perHour}::int, ${quotas.concurrent}::int`;
}

export function readOpened(row: Omit<OpenRow, 'outcome'>, outcome: OpenRow['outcome']): OpenResult {
  return {
    outcome,
    available: row.available,
    windows: {
      minuteUsed: row.minute_used,
      minuteReset: row.minute_reset,
      hourUsed: row.hour_used,
      hourReset: row.hour_reset,
    },
  };
}

/** One call that has ended. */
export interface CloseRequest {
  id: string;
  keyId: string;
  success: boolean;
  markup: Microusd;
  raw: Microusd;
  byok: boolean;
  errorCode: string | null;
  latencyMs: number;
}

export interface CloseResult {
  /** `closed` now; `success` or `error`: it was closed before, so; `lost`: nothing is known of it. */
  state: 'closed' | 'success' | 'error' | 'lost';
  available: Microusd | null;
}

interface CloseRow {
  id: string;
  state: CloseResult['state'];
  available: bigint | null;
}

/**
 * Settles or releases a group of calls in one statement and one commit, each once.
 * @param fence the process that opened them; null closes only those whose lease has run out
 */
export async function closeCalls(
  sql: Sql,
  requests: CloseRequest[],
  fence: string | null,
): Promise<CloseResult[]> {
  const rows = await sql<CloseRow[]>`
    select * from close_calls(${closeArguments(sql, requests)}, ${fence}::text)`;
  return readClosed(requests, rows);
}

export function closeArguments(sql: Sql, requests: CloseRequest[]) {
  return sql`
    ${arrayLiteral(requests.map((r) => r.id))}::text[],
    ${arrayLiteral(requests.map((r) => r.keyId))}::text[],
    ${arrayLiteral(requests.map((r) => r.success))}::boolean[],
    ${arrayLiteral(requests.map((r) => r.markup))}::bigint[],
    ${arrayLiteral(requests.map((r) => r.raw))}::bigint[],
    ${arrayLiteral(requests.map((r) => r.byok))}::boolean[],
    ${arrayLiteral(requests.map((r) => r.errorCode))}::text[],
    ${arrayLiteral(requests.map((r) => Math.round(r.latencyMs)))}::int[]`;
}

export function readClosed(requests: CloseRequest[], rows: readonly CloseRow[]): CloseResult[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return requests.map((request) => {
    const row = byId.get(request.id);
    return row ? { state: row.state, available: row.available } : { state: 'lost', available: null };
  });
}

type ExchangeRow =
  | ({ closed_id: string } & Pick<CloseRow, 'state' | 'available'>)
  | ({ closed_id: null; state: OpenRow['outcome'] } & Omit<OpenRow, 'outcome'>);

/** Closes one group of calls, then opens another, in one statement and one commit. */
export async function exchangeCalls(
  sql: Sql,
  ended: CloseRequest[],
  begun: OpenRequest[],
  options: OpenOptions,
): Promise<{ closed: CloseResult[]; opened: OpenResult[] }> {
  if (ended.length === 0) return { closed: [], opened: await openCalls(sql, begun, options) };
  if (begun.length === 0) return { closed: await closeCalls(sql, ended, options.fence), opened: [] };
  const rows = await sql<ExchangeRow[]>`
    select * from exchange_calls(${closeArguments(sql, ended)}, ${openArguments(sql, begun)}, ${options.fence},
      ${boundArguments(sql, options)})`;
  const closed: CloseRow[] = [];
  const opened: OpenResult[] = [];
  for (const row of rows)
    if (row.closed_id === null) opened.push(readOpened(row, row.state));
    else closed.push({ id: row.closed_id, state: row.state, available: row.available });
  return { closed: readClosed(ended, closed), opened };
}

/**
 * Lengthens the leases of calls that still run in this process; returns whose were. A row that someone has locked is just
 * being ended: waiting for many in another order than theirs would be a deadlock.
 */
export async function extendLeases(
  sql: Sql,
  ids: string[],
  fence: string,
  leaseSeconds: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update calls set lease_expires_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}::int)
    where id in (
      select id from calls where id = any(${arrayLiteral(ids)}::text[]) and fence = ${fence} for no key update skip locked
    )
    returning id`;
  return rows.map((row) => row.id);
}

/** Which of these calls this process still holds. */
export async function findOpenCalls(sql: Sql, ids: string[], fence: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from calls where id = any(${arrayLiteral(ids)}::text[]) and fence = ${fence}`;
  return rows.map((row) => row.id);
}

/** What a call could spend at this instant. Null: no such cap. */
export interface Spendable {
  available: Microusd;
  debt: Microusd;
  /** An open dispute stops all that costs something. */
  disputed: boolean;
  frozen: boolean;
  monthLeft: Microusd | null;
  keyLeft: Microusd | null;
}

/** Reads what an account, and a key inside it, could spend now. */
export async function findSpendable(sql: Sql, accountId: string, keyId: string): Promise<Spendable | null> {
  const [row] = await sql<
    {
      available: bigint;
      month_left: bigint | null;
      key_left: bigint | null;
      debt: bigint;
      disputed: boolean;
      frozen: boolean;
    }[]
  >`
    select a.balance_microusd - a.held_microusd as available, a.debt_microusd as debt,
      a.disputed_at is not null as disputed,
      a.frozen_at is not null or a.closed_at is not null as frozen,
      (select k.credits_microusd - k.credits_used_microusd - k.credits_held_microusd
        from api_keys k where k.id = ${keyId}) as key_left,
      a.budget_limit_microusd - a.held_microusd - case
        when a.month_start = date_trunc('month', clock_timestamp() at time zone 'UTC')::date
        then a.month_spent_microusd else 0 end as month_left
    from accounts a where a.id = ${accountId}`;
  if (!row) return null;
  const { available, debt, disputed, frozen, month_left: monthLeft, key_left: keyLeft } = row;
  return { available, debt, disputed, frozen, monthLeft, keyLeft };
}

/** The team a key's owner may charge: by slug, or with `team` their only one, or the one they have chosen. */
export async function findTeamAccounts(
  sql: Sql,
  userId: string,
  billing: string,
): Promise<{ id: string; slug: string; person_frozen: boolean }[]> {
  return await sql<{ id: string; slug: string; person_frozen: boolean }[]>`
    select a.id, a.slug, exists (
        select 1 from accounts p where p.owner_user_id = u.id and p.type = 'personal' and p.frozen_at is not null
      ) as person_frozen
    from memberships m join accounts a on a.id = m.account_id join users u on u.id = m.user_id
    where m.user_id = ${userId} and a.type = 'team' and a.closed_at is null
      and case when ${billing} <> 'team' then a.slug = ${billing} else a.id = u.default_team_id or not exists (
        select 1 from memberships d join accounts t on t.id = d.account_id
        where d.user_id = u.id and d.account_id = u.default_team_id and t.closed_at is null
      ) end
    order by a.created_at limit 2`;
}
