import type { Sql } from '@/db/client';
import { jsonRows, type RecordedCallRow } from '@/db/json-rows';
import { bigint, boolean, defineRow, type RowOf, text } from '@/db/rows';
import type { ResponseRecord } from '../../core/idempotency/run-once';
import { type Quotas, readWindows, type WindowState, windowColumns } from '../../core/limits/windows';
import type { Microusd } from '../../kit/money';
import { quotaArguments, type RequestedCall, toRequestedRow } from '../admission/store';
import { type EndResult, type Settlement, toSettledRow } from '../settlement/store';

/**
 * SQLSTATE: a concurrent group committed first, and the remaining quota or funds do not cover this
 * one.
 */
const OVERTAKEN = 'TG409';

/** A call that has run before its admission, charged to the account of its key. */
export interface CommitRequest extends RequestedCall, Omit<Settlement, 'byok'> {
  /** Start time in milliseconds since the epoch; the same on every retry. */
  startedMs: number;
  /** Stored with the call, if the request has an Idempotency-Key. */
  record: RecordedResponse | null;
  /** Stored with the call, if it was streamed: its stream can be resumed. */
  job?: EndedJob | null;
}

/** The job of a call that ended as it became one. */
export interface EndedJob {
  id: string;
  /** As of a job that another process may run again. */
  rerunnable: boolean;
  webhookUrl: string | null;
  /** The ToolCallResult as JSON, null of a failure; the balance is added when it is read. */
  result: string | null;
  /** The message of a failure. */
  error: string | null;
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
  /** Of a key or an account; of a call whose record is taken. */
  id: text(),
  fits: boolean(),
  /** Null in the rows of keys, and of what is rejected. */
  available: bigint().nullable(),
  ...windowColumns,
});
type CommitRow = RowOf<typeof commitRow>;

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
    const rejected = new Set(rows.map(({ id }) => id));
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
    const name = `${record.accountId} ${record.part} ${record.key}`;
    return !seen.has(name) && seen.add(name);
  });
}

async function commitGroup(sql: Sql, requests: CommitRequest[], quotas: Quotas): Promise<CommitRow[]> {
  const records = requests.flatMap(({ id, accountId, record }) =>
    record ? [toRecordRow(id, accountId, record)] : [],
  );
  return await commitRow.read(sql`select id, fits, available, window_used::text, window_resets::text
    from commit_calls(${jsonRows(requests.map(toCommitRow))}::text::json,
      ${records.length > 0 ? jsonRows(records) : null}::text::json, ${quotaArguments(sql, quotas)})`);
}

/** The call as record_calls takes it, and what admits it. */
function toCommitRow(request: CommitRequest) {
  return {
    billing: 'personal',
    byok: false,
    created_at: new Date(request.startedMs).toISOString(),
    ...toRequestedRow(request),
    ...toSettledRow(request),
    ...(request.job && toJobFields(request.job)),
  } satisfies RecordedCallRow;
}

function toJobFields({ id, rerunnable, webhookUrl, result, error }: EndedJob) {
  return { job_id: id, rerunnable, webhook_url: webhookUrl, result, error };
}

function toRecordRow(callId: string, chargedAccountId: string, record: RecordedResponse) {
  return {
    account_id: record.accountId,
    key: record.key,
    part: record.part,
    call_id: callId,
    charged_account_id: chargedAccountId,
    owner: record.owner,
    fingerprint: record.fingerprint.toString('hex'),
    reply: record.reply,
  };
}

/** Rows have the state of a key after all of its calls; each call gets the state after itself. */
function readResults(requests: CommitRequest[], rows: CommitRow[]): Map<string, CommitResult> {
  const byId = new Map(rows.map((row) => [row.id, row]));
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
): Promise<EndResult | null> {
  const [row] = await committedRow.read(sql`select state, available from ended_before(${keyId}, ${id})`);
  return row ?? null;
}
