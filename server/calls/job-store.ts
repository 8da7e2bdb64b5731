import { sql as drizzleSql } from 'drizzle-orm';
import { arrayLiteral } from '@/db/array-literal';
import type { Executor, Sql } from '@/db/client';
import type { CredentialSource } from '../catalog/credentials/call-credential';
import type { Quotas } from '../core/limits/windows';
import type { Microusd } from '../kit/money';
import {
  type CloseRequest,
  type CloseResult,
  closeArguments,
  type OpenRequest,
  type OpenResult,
  type OpenRow,
  readClosed,
  readOpened,
} from './store';

/** One call that has ended and may be a job, or have an Idempotency-Key. */
export interface FinishRequest extends CloseRequest {
  /** What the job says of its failure. */
  error: string | null;
  /** The ToolCallResult of a success, the Error body of a failure, as JSON; kept as the answer. */
  result: string;
}

/** closeCalls that also ends jobs and keeps answers, in the same commit. */
export async function finishCalls(
  sql: Sql,
  requests: FinishRequest[],
  fence: string,
): Promise<CloseResult[]> {
  const rows = await sql<{ id: string; state: CloseResult['state']; available: bigint | null }[]>`
    select * from finish_calls(${closeArguments(sql, requests)},
      ${arrayLiteral(requests.map((r) => r.error))}::text[],
      ${arrayLiteral(requests.map((r) => r.result))}::text[], ${fence}::text)`;
  return readClosed(requests, rows);
}

/**
 * Makes a running call a job.
 * @param pending what the request is told, kept where it was sent with an Idempotency-Key; null keeps nothing
 * @returns false where the call has ended meanwhile
 */
export async function promoteCall(
  sql: Sql,
  call: { id: string; jobId: string; rerunnable: boolean; pending: object | null },
  fence: string,
): Promise<boolean> {
  const [row] = await sql<{ promoted: boolean }[]>`
    select promote_call(${call.id}, ${call.jobId}, ${fence}, ${call.rerunnable},
      ${call.pending === null ? null : JSON.stringify(call.pending)}::text::json) as promoted`;
  return row?.promoted ?? false;
}

export interface QueuedRequest extends OpenRequest {
  jobId: string;
  input: Record<string, unknown>;
  rerunnable: boolean;
  /** Null where its skill asks no provider. */
  credential: QueuedCredential | null;
}

/** Which credential a queued call was opened with; the client's own key, sealed for this call. */
export interface QueuedCredential {
  slot: string;
  source: CredentialSource;
  sealedKey: string | null;
}

/** Whose a call is that waits in the queue. */
export const QUEUE_FENCE = 'queue';

/** How long a call may wait in the queue before it is given up. */
export const QUEUE_WAIT_SECONDS = 900;

/** Opens a call and puts it in the queue, with the credential that was chosen, in one commit. */
export async function openQueuedCall(sql: Sql, request: QueuedRequest, quotas: Quotas): Promise<OpenResult> {
  const { slot = null, source = null, sealedKey = null } = request.credential ?? {};
  const [row] = await sql<OpenRow[]>`
    with opened as materialized (
      select * from open_queued_call(${request.keyId}, ${request.accountId}, ${request.id}, ${request.jobId},
        ${request.billing}, ${request.tool}, ${request.skill}, ${String(request.hold)}::bigint,
        ${JSON.stringify(request.input)}::text::json, ${request.rerunnable}, ${QUEUE_WAIT_SECONDS}::int,
        ${quotas.perMinute}::int, ${quotas.perHour}::int, ${quotas.concurrent}::int)
    ), kept as (
      insert into queued_call_states (call_id, slot, source, sealed_key)
      select ${request.id}, c.slot, c.source, c.sealed_key
      from opened o, (values (${slot}::text, ${source}::text, ${sealedKey}::text)) c(slot, source, sealed_key)
      where o.outcome = 'opened' and c.slot is not null
      on conflict (call_id) do update
        set slot = excluded.slot, source = excluded.source, sealed_key = excluded.sealed_key
    )
    select * from opened`;
  if (!row) throw new Error('open_queued_call gave no row');
  return readOpened(row, row.outcome);
}

/** A queued call that this worker has taken. */
export interface TakenCall {
  jobId: string;
  keyId: string;
  /** Who is charged. */
  accountId: string;
  billing: string;
  tool: string;
  skill: string;
  input: Record<string, unknown>;
  /** The most it may cost: what was set aside when it was queued. */
  hold: Microusd;
  /** Which attempt this is, from 1. */
  attempts: number;
  /** The last log line of earlier attempts. */
  lastSeq: number;
  credential: QueuedCredential | null;
}

/** Takes a queued call; null where it is no longer there to be taken. */
export async function startQueuedCall(
  sql: Sql,
  callId: string,
  fence: string,
  leaseSeconds: number,
): Promise<TakenCall | null> {
  const [row] = await sql<
    {
      job_id: string;
      key_id: string;
      account_id: string;
      billing: string;
      tool: string;
      skill: string;
      input: Record<string, unknown>;
      hold: Microusd;
      attempts: number;
      last_seq: number;
      credential: QueuedCredential | null;
    }[]
  >`
    select s.*, case when q.slot is not null
        then json_build_object('slot', q.slot, 'source', q.source, 'sealedKey', q.sealed_key) end as credential
    from start_queued_call(${callId}, ${fence}, ${leaseSeconds}::int) s
    left join queued_call_states q on q.call_id = ${callId}`;
  if (!row) return null;
  const { job_id: jobId, key_id: keyId, account_id: accountId, last_seq: lastSeq, ...call } = row;
  return { ...call, jobId, keyId, accountId, lastSeq };
}

/** Gives a call that this worker has taken back to the queue; false where it was not its own any more. */
export async function requeueCall(sql: Sql, callId: string, fence: string, line: string): Promise<boolean> {
  const [row] = await sql<{ requeued: boolean }[]>`
    select requeue_call(${callId}, ${fence}, ${QUEUE_WAIT_SECONDS}::int, ${line}) as requeued`;
  return row?.requeued ?? false;
}

/** A job for a call that waits for a slot of its key and has not been opened. */
export async function insertWaitingJob(
  tx: Executor,
  job: {
    id: string;
    callId: string;
    keyId: string;
    billing: string;
    tool: string;
    skill: string;
    fence: string;
    leaseSeconds: number;
  },
): Promise<void> {
  await tx.execute(drizzleSql`
    insert into jobs (id, call_id, account_id, key_id, billing, tool, skill, status, queued, rerunnable, fence,
      lease_expires_at, created_at)
    select ${job.id}, ${job.callId}, k.account_id, k.id, ${job.billing}, ${job.tool}, ${job.skill}, 'pending', false, false,
      ${job.fence}, clock_timestamp() + make_interval(secs => ${job.leaseSeconds}::int), clock_timestamp()
    from api_keys k where k.id = ${job.keyId}
    -- A claim moves the key's jobs to another account under this lock.
    for no key update of k`);
}

/** Ends a waiting job whose call could not be opened. */
export async function failWaitingJob(
  sql: Sql,
  job: { id: string; callId: string; fence: string; error: string; errorCode: string },
): Promise<void> {
  await sql`
    with failed as (
      update jobs set status = 'failed', error = ${job.error}, error_code = ${job.errorCode}, fence = null,
        lease_expires_at = null, finished_at = clock_timestamp()
      where id = ${job.id} and fence = ${job.fence} and finished_at is null
      returning 1
    )
    select pg_notify('gateway', ${`call:${job.callId}`}) from failed`;
}

/** Lengthens the leases of jobs that wait in this process. */
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

/** What the reaper does with calls whose process is gone, and says of them. */
export interface ReapOptions {
  limit: number;
  maxAttempts: number;
  error: string;
  line: string;
  reply: object;
  /** How long a call may be out of the queue without anybody having taken it. */
  queueSeconds: number;
}

/** Ends or requeues calls and waiting jobs whose leases have run out. */
export async function reapCalls(
  sql: Sql,
  { limit, maxAttempts, error, line, reply, queueSeconds }: ReapOptions,
): Promise<{ id: string; outcome: 'failed' | 'requeued' }[]> {
  return await sql<{ id: string; outcome: 'failed' | 'requeued' }[]>`
    select * from reap_calls(${limit}::int, ${maxAttempts}::int, ${QUEUE_WAIT_SECONDS}::int, ${error}, ${line},
      ${JSON.stringify(reply)}::text::json, ${queueSeconds}::int)`;
}
