import { sql as drizzleSql } from 'drizzle-orm';
import type { Executor, Sql } from '@/db/client';
import type { Microusd } from '../billing/money';

/** Which record: a key of an account; part 0 is the request, 1 to 10 the elements of a batch. */
export interface RecordName {
  accountId: string;
  key: string;
  part: number;
}

export interface ClaimRequest extends RecordName {
  fingerprint: Buffer;
  callId: string | null;
  rerunnable: boolean;
  fence: string;
  leaseSeconds: number;
  lifetimeHours: number;
}

/** The first answer as it was kept. */
export interface KeptAnswer {
  status: number;
  reply: Record<string, unknown>;
  available: Microusd | null;
}

export type ClaimOutcome =
  | { outcome: 'claimed' }
  | { outcome: 'mismatch' }
  | { outcome: 'running'; callId: string | null }
  | { outcome: 'replay'; answer: KeptAnswer };

interface ClaimRow {
  outcome: ClaimOutcome['outcome'];
  status: number;
  reply: Record<string, unknown>;
  available: bigint | null;
  call_id: string | null;
}

/** Takes the key for a request, or says what stands in the way. Exact over all processes, by the primary key. */
export async function claimKey(sql: Sql, request: ClaimRequest): Promise<ClaimOutcome> {
  const { accountId, key, part, callId, rerunnable, fence, leaseSeconds, lifetimeHours } = request;
  const [row] = await sql<ClaimRow[]>`
    select * from claim_idempotency_key(${accountId}, ${key}, ${part}::smallint, ${request.fingerprint}, ${callId}::text,
      ${rerunnable}, ${fence}, ${leaseSeconds}::int, ${lifetimeHours}::int)`;
  if (!row) throw new Error('claim_idempotency_key gave no row');
  switch (row.outcome) {
    case 'replay':
      return {
        outcome: 'replay',
        answer: { status: row.status, reply: row.reply, available: row.available },
      };
    case 'running':
      return { outcome: 'running', callId: row.call_id };
    default:
      return { outcome: row.outcome };
  }
}

/** Lets go of a key whose request was refused: it may be sent again. */
export async function releaseKey(sql: Sql, name: RecordName, fence: string, topic: string): Promise<void> {
  await sql`
    with released as (
      delete from idempotency_keys where account_id = ${name.accountId} and key = ${name.key} and part = ${name.part}
        and fence = ${fence} and finished_at is null
      returning 1
    )
    select pg_notify('gateway', ${topic}) from released`;
}

/** Keeps the first answer of a request; false where one was kept before. */
export async function keepAnswer(
  tx: Executor,
  name: RecordName,
  answer: { status: number; body: object },
  topic: string,
): Promise<boolean> {
  const rows = await tx.execute(drizzleSql`
    with kept as (
      update idempotency_keys set status = ${answer.status}, reply = ${JSON.stringify(answer.body)}::json,
        finished_at = clock_timestamp()
      where account_id = ${name.accountId} and key = ${name.key} and part = ${name.part} and finished_at is null
      returning 1
    )
    select pg_notify('gateway', ${topic}) from kept`);
  return rows.length > 0;
}

/** Lengthens the leases of the keys that requests of this process hold. */
export async function extendKeyLeases(sql: Sql, fence: string, leaseSeconds: number): Promise<void> {
  await sql`
    update idempotency_keys set lease_expires_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}::int)
    where fence = ${fence} and finished_at is null`;
}
