import { sql as drizzleSql } from 'drizzle-orm';
import { arrayLiteral } from '@/db/array-literal';
import type { Executor, Sql, SqlTag } from '@/db/client';
import { bigint, boolean, defineRow, integer, json, type RowOf, text } from '@/db/rows';
import type { GatewayError } from '../../core/errors/gateway-error';
import { readStoredRequestId } from '../../core/http/call-request-id';
import { QUEUE_WAIT_SECONDS } from '../../core/limits/windows';
import type { QueuedCredential, QueuedPrices } from '../admission/store';
import type { PreparedCall } from '../prepare/prepare-call';
import { toJobId } from './job-ids';

/** Stores the `webhook` of a call, in the transaction that makes it a job. */
export async function saveWebhookUrl(tx: SqlTag, jobId: string, url: string): Promise<void> {
  await tx`update jobs set webhook_url = ${url} where id = ${jobId}`;
}

/** The fence of calls that wait in the queue. */
export const QUEUE_FENCE = 'queue';

const leasedRow = defineRow({
  id: text(),
  jobId: text(),
  keyId: text(),
  /** The charged account. */
  accountId: text(),
  billing: text(),
  /** `personal`, or the slug of the charged team. */
  chargedTo: text(),
  tool: text(),
  skill: text(),
  input: json<Record<string, unknown>>(),
  /** The maximum cost: the amount held when the call was queued. */
  hold: bigint(),
  /** Number of this attempt, from 1. */
  attempts: integer(),
  /** Sequence number of the last log line of earlier attempts. */
  lastSeq: integer(),
  credential: json<QueuedCredential>().nullable(),
  prices: json<QueuedPrices>().nullable(),
  /** Of the request that queued the call; null if the previous release did. */
  requestId: text().nullable(),
});

/** A queued call that this worker leased. */
export type LeasedCall = RowOf<typeof leasedRow>;

const waitingRow = defineRow({ waiting: boolean() });

/** The process that runs the calls it takes, until their lease ends. */
export interface CallLease {
  fence: string;
  leaseSeconds: number;
}

/**
 * Takes waiting calls, first those of accounts that have the fewest running, then those that have
 * waited longest. Each is taken by one process.
 * @param running the accounts of the queued calls that run in this process
 */
export async function takeQueuedCalls(
  sql: SqlTag,
  lease: CallLease,
  { limit, running }: { limit: number; running: string[] },
): Promise<LeasedCall[]> {
  const rows = await leasedRow.read(sql`
    select ${leasedColumns(sql)} from take_queued_calls(${lease.fence}, ${lease.leaseSeconds}::int, ${limit}::int,
      ${arrayLiteral(running)}::text[])`);
  return rows.map(readRequestId);
}

/** Whether a call waits that was lost with its process twice. */
export async function hasLostCall(sql: SqlTag): Promise<boolean> {
  const [row] = await waitingRow.read(sql`
    select exists(select from calls where fence = 'alone' and lease_expires_at > now()) as waiting`);
  return row?.waiting === true;
}

/** Takes one call that was lost twice, to run it alone: at most one. */
export async function takeLostCall(sql: SqlTag, { fence, leaseSeconds }: CallLease): Promise<LeasedCall[]> {
  const rows = await leasedRow.read(
    sql`select ${leasedColumns(sql)} from take_lost_call(${fence}, ${leaseSeconds}::int)`,
  );
  return rows.map(readRequestId);
}

/** Takes one call; null if it is no longer available. */
export async function takeQueuedCall(sql: Sql, lease: CallLease, id: string): Promise<LeasedCall | null> {
  const [row] = await leasedRow.read(sql`
    select ${leasedColumns(sql)} from start_queued_calls(array[${id}], ${lease.fence}, ${lease.leaseSeconds}::int)`);
  return row ? readRequestId(row) : null;
}

function leasedColumns(sql: SqlTag) {
  return sql`id, job_id as "jobId", key_id as "keyId", account_id as "accountId", billing, charged_to as "chargedTo", tool,
    skill, input, hold, attempts, last_seq as "lastSeq", credential, prices, request_id as "requestId"`;
}

function readRequestId(row: LeasedCall): LeasedCall {
  return Object.assign(row, { requestId: readStoredRequestId(row.requestId, row.id) });
}

const returnedRow = defineRow({ returned: integer() });

/**
 * Returns queued calls to the front of the queue that carry the fence of this process although it
 * does not know them. No statement that takes calls may run.
 * @param known the calls that this process has taken
 * @returns how many
 */
export async function giveBackCalls(
  sql: Sql,
  { fence, leaseSeconds }: CallLease,
  known: string[],
): Promise<number> {
  const [row] = await returnedRow.read(sql`
    select give_back_calls(${fence}, ${arrayLiteral(known)}::text[], ${QUEUE_WAIT_SECONDS}::int,
      ${leaseSeconds}::int) as returned`);
  return row?.returned ?? 0;
}

const requeuedRow = defineRow({ requeued: boolean() });

/** Returns a leased call to the queue; false if this worker no longer owned it. */
export async function requeueCall(sql: Sql, callId: string, fence: string, line: string): Promise<boolean> {
  const [row] = await requeuedRow.read(sql`
    select requeue_call(${callId}, ${fence}, ${QUEUE_WAIT_SECONDS}::int, ${line}) as requeued`);
  return row?.requeued ?? false;
}

/** Inserts the job of a call that waits for a concurrency slot and is not open yet. */
export async function insertWaitingJob(
  tx: Executor,
  { id, keyId, billing, tool, skill }: PreparedCall,
  { fence, leaseSeconds }: CallLease,
): Promise<void> {
  await tx.execute(drizzleSql`
    insert into jobs (id, call_id, account_id, key_id, billing, tool, skill, status, queued, rerunnable, fence,
      lease_expires_at, created_at)
    select ${toJobId(id)}, ${id}, k.account_id, k.id, ${billing}, ${tool.name}, ${skill.name}, 'pending', false, false,
      ${fence}, clock_timestamp() + make_interval(secs => ${leaseSeconds}::int), clock_timestamp()
    from api_keys k where k.id = ${keyId}
    -- An account claim moves the jobs of a key under this lock.
    for no key update of k`);
}

/** Fails a waiting job when its call could not be opened. */
export async function failWaitingJob(
  sql: Sql,
  callId: string,
  fence: string,
  { message, code }: GatewayError,
): Promise<void> {
  await sql`
    with failed as (
      update jobs set status = 'failed', error = ${message}, error_code = ${code}, fence = null,
        lease_expires_at = null, finished_at = clock_timestamp()
      where id = ${toJobId(callId)} and fence = ${fence} and finished_at is null
      returning 1
    )
    select pg_notify('gateway', ${`call:${callId}`}) from failed`;
}

/** Extends the leases of the jobs that wait in this process. */
export async function extendWaitingJobs(
  sql: Sql,
  callIds: string[],
  fence: string,
  leaseSeconds: number,
): Promise<void> {
  await sql`
    update jobs set lease_expires_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}::int)
    where call_id = any(${arrayLiteral(callIds)}::text[]) and fence = ${fence}`;
}

/** Limits and texts of the reaper, for calls of dead processes. */
export interface ReapOptions {
  limit: number;
  maxAttempts: number;
  error: string;
  line: string;
  reply: object;
}

const reapedRow = defineRow({ id: text(), outcome: text<'failed' | 'requeued'>() });

/** Ends or requeues calls and waiting jobs with expired leases. */
export async function reapCalls(
  sql: Sql,
  { limit, maxAttempts, error, line, reply }: ReapOptions,
): Promise<{ id: string; outcome: 'failed' | 'requeued' }[]> {
  return await reapedRow.read(sql`
    select * from reap_calls(${limit}::int, ${maxAttempts}::int, ${QUEUE_WAIT_SECONDS}::int, ${error}, ${line},
      ${JSON.stringify(reply)}::text::json, null)`);
}
