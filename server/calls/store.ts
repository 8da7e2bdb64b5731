import { arrayLiteral } from '@/db/array-literal';
import type { Sql } from '@/db/client';
import {
  CALL_WINDOWS,
  type Quotas,
  readWindows,
  type WindowColumns,
  type WindowName,
  type WindowState,
} from '../core/limits/windows';
import type { Microusd } from '../kit/money';

/** A request to open one call. */
export interface OpenRequest {
  id: string;
  keyId: string;
  accountId: string;
  /** `personal`, or the slug of the charged team. */
  billing: string;
  tool: string;
  skill: string;
  /** The maximum cost of the call. */
  hold: Microusd;
}

/** Why a call was not admitted; `admission_refusal` has the rules in their order. */
export type OpenRefusal =
  | 'revoked'
  | 'moved'
  | 'frozen'
  | 'forbidden'
  | WindowName
  | 'concurrency'
  | 'month'
  | 'debt'
  | 'disputed'
  | 'key'
  | 'account';

export interface OpenResult {
  outcome: 'opened' | OpenRefusal;
  /** Available balance of the charged account after the hold of this call. */
  available: Microusd;
  windows: WindowState;
}

export interface OpenRow extends WindowColumns {
  /** `opened`, a refusal, or `window 2` for the second entry of CALL_WINDOWS. */
  outcome: string;
  available: bigint;
}

/** The opening process and the limits that apply. */
export interface OpenOptions {
  fence: string;
  leaseSeconds: number;
  quotas: Quotas;
}

/**
 * Opens a group of calls in one statement and one commit; results are in the order of the requests.
 */
export async function openCalls(
  sql: Sql,
  requests: OpenRequest[],
  options: OpenOptions,
): Promise<OpenResult[]> {
  const rows = await sql<OpenRow[]>`select outcome, available, window_used::text, window_resets::text
    from admit_calls(${openArguments(sql, requests)}, ${options.fence}, ${boundArguments(sql, options)})`;
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
  return sql`${leaseSeconds}::int, ${quotaArguments(sql, quotas)}`;
}

/** The last arguments of each SQL function that admits calls. */
export function quotaArguments(sql: Sql, { perWindow, concurrent }: Quotas) {
  return sql`${arrayLiteral(CALL_WINDOWS.map(({ seconds }) => seconds))}::int[],
    ${arrayLiteral(perWindow)}::int[], ${concurrent}::int`;
}

function readOutcome(outcome: string): OpenResult['outcome'] {
  const [, place] = /^window (\d+)$/.exec(outcome) ?? [];
  const name = place === undefined ? outcome : CALL_WINDOWS[Number(place) - 1]?.name;
  return name as OpenResult['outcome'];
}

export function readOpened(row: Omit<OpenRow, 'outcome'>, outcome: OpenRow['outcome']): OpenResult {
  return {
    outcome: readOutcome(outcome),
    available: row.available,
    windows: readWindows(row),
  };
}

/** One ended call. */
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
  /**
   * `closed`: by this statement; `success` or `error`: already closed with that result; `lost`:
   * unknown call.
   */
  state: 'closed' | 'success' | 'error' | 'lost';
  available: Microusd | null;
}

interface CloseRow {
  id: string;
  state: CloseResult['state'];
  available: bigint | null;
}

/**
 * Settles or releases a group of calls in one statement and one commit, each call once.
 * @param fence the process that opened them; null closes only calls with an expired lease
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
    select closed_id, state, available, window_used::text, window_resets::text from close_and_admit_calls(${closeArguments(sql, ended)}, ${openArguments(sql, begun)}, ${options.fence},
      ${boundArguments(sql, options)})`;
  const closed: CloseRow[] = [];
  const opened: OpenResult[] = [];
  for (const row of rows)
    if (row.closed_id === null) opened.push(readOpened(row, row.state));
    else closed.push({ id: row.closed_id, state: row.state, available: row.available });
  return { closed: readClosed(ended, closed), opened };
}

/**
 * Extends the leases of calls that run in this process; returns the ids it still owns. Skips locked
 * rows, which are being closed: waiting for them could deadlock, because a close locks in another
 * order.
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

/** Returns those of the calls that this process still owns. */
export async function findOpenCalls(sql: Sql, ids: string[], fence: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from calls where id = any(${arrayLiteral(ids)}::text[]) and fence = ${fence}`;
  return rows.map((row) => row.id);
}

/**
 * Why a call would be refused now, by the rules of admission but without rate limits and
 * concurrency; nothing is held.
 * @returns `available`: what the account can spend; `refusal` null: the call would be admitted
 */
export async function findRefusal(
  sql: Sql,
  { keyId, accountId, billing, hold }: Pick<OpenRequest, 'keyId' | 'accountId' | 'billing' | 'hold'>,
): Promise<{ available: Microusd; refusal: OpenRefusal | null }> {
  const [row] = await sql<{ available: bigint; refusal: OpenRefusal | null }[]>`
    select a.balance_microusd - a.held_microusd as available,
      admission_refusal(k, a, a.id, ${billing}, 1, ${String(hold)}::bigint, null, null) as refusal
    from accounts a, api_keys k where a.id = ${accountId} and k.id = ${keyId}`;
  return row ?? { available: 0n, refusal: 'revoked' };
}

/**
 * Finds the teams that the owner of a key may charge: by slug, or for `team` the only or default
 * one.
 */
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
