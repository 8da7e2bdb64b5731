import { sql as drizzleSql } from 'drizzle-orm';
import { arrayLiteral } from '@/db/array-literal';
import type { Executor, Sql } from '@/db/client';
import { bigint, defineRow, integer, json, text } from '@/db/rows';
import type { Microusd } from '../../kit/money';

/** Identifies a record: a key of an account; part 0 is the request, 1 to 10 are batch elements. */
export interface RecordKey {
  /** See `idempotencyAccountId`. */
  accountId: string;
  key: string;
  part: number;
}

/** A record as held by one run of its request; a run that takes over has another owner. */
export interface OwnedRecordKey extends RecordKey {
  /** Random. */
  owner: string;
}

export interface AcquireRequest extends OwnedRecordKey {
  fingerprint: Buffer;
  callId: string | null;
  rerunnable: boolean;
  leaseSeconds: number;
  lifetimeHours: number;
}

/** The stored first response. */
export interface StoredResponse {
  status: number;
  reply: Record<string, unknown>;
  available: Microusd | null;
  /** The call that the response belongs to. */
  callId: string | null;
}

export type AcquireOutcome =
  | { outcome: 'acquired' }
  | { outcome: 'mismatch' }
  | { outcome: 'running'; callId: string | null }
  | { outcome: 'replay'; stored: StoredResponse };

const acquireRow = defineRow({
  outcome: text<AcquireOutcome['outcome']>(),
  /** Like the reply, null unless the outcome is `replay`. */
  status: integer().nullable(),
  reply: json<StoredResponse['reply']>().nullable(),
  available: bigint().nullable(),
  call_id: text().nullable(),
});

/**
 * Acquires the record for a request, or returns what prevents it. The primary key makes it exact
 * across processes.
 */
export async function acquireKey(sql: Sql, request: AcquireRequest): Promise<AcquireOutcome> {
  const { accountId, key, part, callId, rerunnable, owner, leaseSeconds, lifetimeHours } = request;
  const [row] = await acquireRow.read(sql`
    select * from acquire_idempotency_key(${accountId}, ${key}, ${part}::smallint, ${request.fingerprint}, ${callId}::text,
      ${rerunnable}, ${owner}, ${leaseSeconds}::int, ${lifetimeHours}::int)`);
  if (!row) throw new Error('acquire_idempotency_key gave no row');
  switch (row.outcome) {
    case 'replay':
      return {
        outcome: 'replay',
        stored: {
          status: row.status as number,
          reply: row.reply as StoredResponse['reply'],
          available: row.available,
          callId: row.call_id,
        },
      };
    case 'running':
      return { outcome: 'running', callId: row.call_id };
    default:
      return { outcome: row.outcome };
  }
}

const fenceRow = defineRow({ fence: text() });

/**
 * Inserts records for keys that do not exist yet, in one statement, and leaves existing ones
 * unchanged.
 * @returns for each request whether it acquired its record
 */
export async function acquireNewKeys(sql: Sql, requests: readonly AcquireRequest[]): Promise<boolean[]> {
  // Sorted, so that concurrent groups of two processes lock new keys in the same order.
  const rows = await fenceRow.read(sql`
    insert into idempotency_keys (account_id, key, part, fingerprint, call_id, rerunnable, fence, lease_expires_at, created_at)
    select u.account_id, u.key, u.part, decode(u.fingerprint, 'hex'), u.call_id, u.rerunnable, u.fence,
      clock_timestamp() + make_interval(secs => u.lease_seconds), clock_timestamp()
    from unnest(
      ${arrayLiteral(requests.map((r) => r.accountId))}::text[],
      ${arrayLiteral(requests.map((r) => r.key))}::text[],
      ${arrayLiteral(requests.map((r) => r.part))}::smallint[],
      ${arrayLiteral(requests.map((r) => r.fingerprint.toString('hex')))}::text[],
      ${arrayLiteral(requests.map((r) => r.callId))}::text[],
      ${arrayLiteral(requests.map((r) => r.rerunnable))}::boolean[],
      ${arrayLiteral(requests.map((r) => r.owner))}::text[],
      ${arrayLiteral(requests.map((r) => r.leaseSeconds))}::int[]
    ) as u(account_id, key, part, fingerprint, call_id, rerunnable, fence, lease_seconds)
    order by u.account_id, u.key, u.part
    on conflict do nothing
    returning fence`);
  const taken = new Set(rows.map(({ fence }) => fence));
  return requests.map(({ owner }) => taken.has(owner));
}

/**
 * Releases the record of a refused request, so that it can be sent again.
 * @param answered the refusal is stored already, because it came from the call itself
 */
export async function releaseKey(
  sql: Sql,
  name: OwnedRecordKey,
  topic: string,
  answered: boolean,
): Promise<void> {
  await sql`
    with released as (
      delete from idempotency_keys where account_id = ${name.accountId} and key = ${name.key} and part = ${name.part}
        and fence = ${name.owner} and (finished_at is null or (${answered} and status >= 400))
      returning 1
    )
    select pg_notify('gateway', ${topic}) from released`;
}

/**
 * Stores the first response. False if one is stored already, or if the record has another owner.
 */
export async function saveResponse(
  tx: Executor,
  name: OwnedRecordKey,
  response: { status: number; body: object },
  topic: string,
): Promise<boolean> {
  const rows = await tx.execute(drizzleSql`
    with saved as (
      update idempotency_keys set status = ${response.status}, reply = ${JSON.stringify(response.body)}::json,
        finished_at = clock_timestamp()
      where account_id = ${name.accountId} and key = ${name.key} and part = ${name.part} and fence = ${name.owner}
        and finished_at is null
      returning 1
    )
    select pg_notify('gateway', ${topic}) from saved`);
  return rows.length > 0;
}

const responseRow = defineRow({
  status: integer(),
  reply: json<StoredResponse['reply']>(),
  available: bigint().nullable(),
});

/** Reads the stored response of a call. */
export async function findStoredResponse(sql: Sql, callId: string): Promise<StoredResponse | null> {
  const [row] = await responseRow.read(sql`
    select status, reply, available_microusd as available from idempotency_keys
    where call_id = ${callId} and finished_at is not null`);
  return row ? { ...row, callId } : null;
}

/** Extends the lease of a record that is still in progress; false if it has another owner. */
export async function extendLease(sql: Sql, name: OwnedRecordKey, leaseSeconds: number): Promise<boolean> {
  const rows = await sql`
    update idempotency_keys set lease_expires_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}::int)
    where account_id = ${name.accountId} and key = ${name.key} and part = ${name.part} and fence = ${name.owner}
      and finished_at is null
    returning 1`;
  return rows.length > 0;
}

/** Whether the first response of a request is stored. */
export async function hasStoredResponse(sql: Sql, { accountId, key, part }: RecordKey): Promise<boolean> {
  const rows = await sql`
    select 1 from idempotency_keys
    where account_id = ${accountId} and key = ${key} and part = ${part} and finished_at is not null`;
  return rows.length > 0;
}
