import { arrayLiteral } from '@/db/array-literal';
import type { Sql } from '@/db/client';
import { bigint, boolean, defineRow, type RowOf, text } from '@/db/rows';
import type { ResponseRecord } from '../../core/idempotency/run-once';
import { type Quotas, readWindows, type WindowState, windowColumns } from '../../core/limits/windows';
import type { Microusd } from '../../kit/money';
import { quotaArguments } from '../admission/store';
import type { CloseResult } from '../settlement/store';

/**
 * SQLSTATE: a concurrent group committed first, and the remaining quota or funds do not cover this
 * one.
 */
const OVERTAKEN = 'TG409';

/** A call that has run before its admission, charged to the account of its key. */
export interface CommitRequest {
  id: string;
  keyId: string;
  accountId: string;
  tool: string;
  skill: string;
  /** The version of the key's rules that allowed the call. */
  rulesVersion: number;
  /** The maximum cost: what would be held for a call that is admitted first. */
  hold: Microusd;
  markup: Microusd;
  raw: Microusd;
  /** Null on success. */
  errorCode: string | null;
  latencyMs: number;
  /** Start time in milliseconds since the epoch; the same on every retry. */
  begunMs: number;
  /** As stored, see `toStoredRequestId`. */
  requestId?: string | undefined;
  clientAddress?: string | null | undefined;
  /** Stored with the call, if the request has an Idempotency-Key. */
  record: RecordedResponse | null;
}

/** The response of a call, as stored under its Idempotency-Key. */
export interface RecordedResponse extends ResponseRecord {
  /** The ToolCallResult as JSON; the balance after the call is added when it is replayed. */
  reply: string;
}

/** Balance and rate windows after a committed call. */
export interface CommitResult {
  available: Microusd;
  windows: WindowState;
}

const commitRow = defineRow({
  key_or_account_id: text(),
  fits: boolean(),
  /** Null in the rows of keys, and of what is rejected. */
  available: bigint().nullable(),
  ...windowColumns,
});
type CommitRow = RowOf<typeof commitRow>;

/** Totals of the calls of one key or one account. */
interface Totals {
  id: string;
  accountId: string;
  rulesVersion: number;
  calls: number;
  hold: Microusd;
  cost: Microusd;
  /** 1-based index in the SQL arrays. */
  at: number;
}

/**
 * Admits, charges and records calls in one statement and one commit. Null for a call that must be
 * admitted first, because it, or another call of its key or account, was rejected, or because its
 * Idempotency-Key is in use; nothing is written for it.
 */
export async function commitCalls(
  sql: Sql,
  requests: CommitRequest[],
  quotas: Quotas,
): Promise<(CommitResult | null)[]> {
  let rest = omitRepeatedKeys(limitToSlots(requests, quotas.concurrent));
  // The second try omits rejected keys and accounts. If it fails too, all are admitted first.
  for (let attempt = 1; attempt <= 2 && rest.length > 0; attempt++) {
    const rows = await commitGroup(sql, rest, quotas).catch((error) => {
      if ((error as { code?: unknown }).code === OVERTAKEN) return null;
      throw error;
    });
    if (rows === null) break;
    if (rows[0]?.fits) {
      const committed = readResults(rest, rows);
      return requests.map((request) => committed.get(request.id) ?? null);
    }
    const rejected = new Set(rows.map(({ key_or_account_id: id }) => id));
    rest = rest.filter((call) => ![call.id, call.keyId, call.accountId].some((id) => rejected.has(id)));
  }
  return requests.map(() => null);
}

/** Keeps at most as many calls per key as it has concurrency slots. */
function limitToSlots(requests: CommitRequest[], slots: number): CommitRequest[] {
  if (requests.length <= slots) return requests;
  const counts = new Map<string, number>();
  return requests.filter(({ keyId }) => {
    const count = (counts.get(keyId) ?? 0) + 1;
    counts.set(keyId, count);
    return count <= slots;
  });
}

/** Keeps only the first of several requests with one Idempotency-Key; the others replay it. */
function omitRepeatedKeys(requests: CommitRequest[]): CommitRequest[] {
  const seen = new Set<string>();
  return requests.filter(({ record }) => {
    if (!record) return true;
    const name = `${record.accountId} ${record.key}`;
    return !seen.has(name) && seen.add(name);
  });
}

async function commitGroup(sql: Sql, requests: CommitRequest[], quotas: Quotas): Promise<CommitRow[]> {
  const keys = totalBy(requests, ({ keyId }) => keyId);
  const accounts = [...totalBy(requests, ({ accountId }) => accountId).values()];
  const keyList = [...keys.values()];
  const calls = sql`
    ${arrayLiteral(keyList.map(({ id }) => id))}::text[],
    ${arrayLiteral(keyList.map(({ accountId }) => accountId))}::text[],
    ${arrayLiteral(keyList.map(({ rulesVersion }) => rulesVersion))}::int[],
    ${arrayLiteral(keyList.map(({ calls }) => calls))}::int[],
    ${arrayLiteral(keyList.map(({ hold }) => hold))}::bigint[],
    ${arrayLiteral(keyList.map(({ cost }) => cost))}::bigint[],
    ${arrayLiteral(accounts.map(({ id }) => id))}::text[],
    ${arrayLiteral(accounts.map(({ hold }) => hold))}::bigint[],
    ${arrayLiteral(accounts.map(({ cost }) => cost))}::bigint[],
    ${arrayLiteral(requests.map(({ id }) => id))}::text[],
    ${arrayLiteral(requests.map(({ keyId }) => (keys.get(keyId) as Totals).at))}::int[],
    ${arrayLiteral(requests.map(({ tool }) => tool))}::text[],
    ${arrayLiteral(requests.map(({ skill }) => skill))}::text[],
    ${arrayLiteral(requests.map(({ raw }) => raw))}::bigint[],
    ${arrayLiteral(requests.map(({ markup }) => markup))}::bigint[],
    ${arrayLiteral(requests.map(({ errorCode }) => errorCode))}::text[],
    ${arrayLiteral(requests.map(({ latencyMs }) => Math.round(latencyMs)))}::int[],
    ${arrayLiteral(requests.map(({ begunMs }) => begunMs))}::bigint[],
    ${arrayLiteral(requests.map(({ requestId = null }) => requestId))}::text[],
    ${arrayLiteral(requests.map(({ clientAddress = null }) => clientAddress))}::text[],
    ${quotaArguments(sql, quotas)}`;
  const records = requests.flatMap(({ record }, index) => (record ? [{ ...record, at: index + 1 }] : []));
  const found =
    records.length === 0
      ? sql`commit_fast_path_calls(${calls})`
      : sql`commit_kept_calls(
          ${arrayLiteral(records.map(({ accountId }) => accountId))}::text[],
          ${arrayLiteral(records.map(({ key }) => key))}::text[],
          ${arrayLiteral(records.map(({ at }) => at))}::int[],
          ${arrayLiteral(records.map(({ owner }) => owner))}::text[],
          ${arrayLiteral(records.map(({ fingerprint }) => fingerprint.toString('hex')))}::text[],
          ${arrayLiteral(records.map(({ reply }) => reply))}::text[],
          ${calls})`;
  return await commitRow.read(sql`select key_or_account_id, fits, available,
    window_used::text, window_resets::text from ${found}`);
}

/** Totals per id, sorted by id: the order in which locks are taken. */
function totalBy(requests: CommitRequest[], idOf: (request: CommitRequest) => string): Map<string, Totals> {
  const sums = new Map<string, Totals>();
  for (const id of [...new Set(requests.map(idOf))].sort())
    sums.set(id, {
      id,
      accountId: '',
      rulesVersion: Infinity,
      calls: 0,
      hold: 0n,
      cost: 0n,
      at: sums.size + 1,
    });
  for (const request of requests) {
    const sum = sums.get(idOf(request)) as Totals;
    sum.accountId = request.accountId;
    // The oldest: if one call was checked against other rules, none of its key is admitted.
    sum.rulesVersion = Math.min(sum.rulesVersion, request.rulesVersion);
    sum.calls += 1;
    sum.hold += request.hold;
    sum.cost += request.markup + request.raw;
  }
  return sums;
}

/** Rows have the state of a key after all of its calls; each call gets the state after itself. */
function readResults(requests: CommitRequest[], rows: CommitRow[]): Map<string, CommitResult> {
  const byId = new Map(rows.map((row) => [row.key_or_account_id, row]));
  const committed = new Map<string, CommitResult>();
  const later = new Map<string, number>();
  for (let at = requests.length - 1; at >= 0; at--) {
    const { id, keyId, accountId } = requests[at] as CommitRequest;
    const key = byId.get(keyId) as CommitRow;
    const after = later.get(keyId) ?? 0;
    later.set(keyId, after + 1);
    committed.set(id, {
      available: (byId.get(accountId) as CommitRow).available as Microusd,
      windows: readWindows(key).map(({ used, resetSeconds }) => ({ used: used - after, resetSeconds })),
    });
  }
  return committed;
}

const committedRow = defineRow({ state: text<'success' | 'error'>(), available: bigint() });

/** Finds how a call with a lost response was committed; null if it was not. */
export async function findCommittedCall(
  sql: Sql,
  { keyId, id }: Pick<CommitRequest, 'keyId' | 'id'>,
): Promise<CloseResult | null> {
  const [row] = await committedRow.read(sql`select state, available from closed_before(${keyId}, ${id})`);
  return row ?? null;
}
