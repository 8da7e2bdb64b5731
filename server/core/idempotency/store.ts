import { sql as drizzleSql } from 'drizzle-orm';
import { arrayLiteral } from '@/db/array-literal';
import type { Executor, Sql } from '@/db/client';
import type { Microusd } from '../../kit/money';

/** Which record: a key of an account; part 0 is the request, 1 to 10 the elements of a batch. */
export interface RecordName {
  accountId: string;
  key: string;
  part: number;
}

/**
 * A record as one run of its request holds it: whoever takes over what seemed dead is another
 * owner.
 */
export interface OwnedName extends RecordName {
  owner: string;
}

export interface ClaimRequest extends OwnedName {
  fingerprint: Buffer;
  callId: string | null;
  rerunnable: boolean;
  leaseSeconds: number;
  lifetimeHours: number;
}

/** The first answer as it was kept. */
export interface KeptAnswer {
  status: number;
  reply: Record<string, unknown>;
  available: Microusd | null;
  /** The call it is the answer of. */
  callId: string | null;
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

/**
 * Takes the key for a request, or says what stands in the way. Exact over all processes, by the
 * primary key.
 */
export async function claimKey(sql: Sql, request: ClaimRequest): Promise<ClaimOutcome> {
  const { accountId, key, part, callId, rerunnable, owner, leaseSeconds, lifetimeHours } = request;
  const [row] = await sql<ClaimRow[]>`
    select * from claim_idempotency_key(${accountId}, ${key}, ${part}::smallint, ${request.fingerprint}, ${callId}::text,
      ${rerunnable}, ${owner}, ${leaseSeconds}::int, ${lifetimeHours}::int)`;
  if (!row) throw new Error('claim_idempotency_key gave no row');
  switch (row.outcome) {
    case 'replay':
      return {
        outcome: 'replay',
        answer: { status: row.status, reply: row.reply, available: row.available, callId: row.call_id },
      };
    case 'running':
      return { outcome: 'running', callId: row.call_id };
    default:
      return { outcome: row.outcome };
  }
}

/**
 * Takes the keys that nobody has taken before, in one statement and one commit; the others are left
 * as they are.
 * @returns for each request whether it is now the one run of its key
 */
export async function claimNewKeys(sql: Sql, requests: readonly ClaimRequest[]): Promise<boolean[]> {
  // By name: groups of two processes wait for each other's new keys in one order.
  const rows = await sql<{ fence: string }[]>`
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
    returning fence`;
  const taken = new Set(rows.map(({ fence }) => fence));
  return requests.map(({ owner }) => taken.has(owner));
}

/**
 * Frees a key whose request was refused: it may be sent again.
 * @param answered the refusal was stored already, because the call itself gave it
 */
export async function releaseKey(sql: Sql, name: OwnedName, topic: string, answered: boolean): Promise<void> {
  await sql`
    with released as (
      delete from idempotency_keys where account_id = ${name.accountId} and key = ${name.key} and part = ${name.part}
        and fence = ${name.owner} and (finished_at is null or (${answered} and status >= 400))
      returning 1
    )
    select pg_notify('gateway', ${topic}) from released`;
}

/**
 * Keeps the first answer of a request; false where one was kept before, or the record is another
 * owner's.
 */
export async function keepAnswer(
  tx: Executor,
  name: OwnedName,
  answer: { status: number; body: object },
  topic: string,
): Promise<boolean> {
  const rows = await tx.execute(drizzleSql`
    with kept as (
      update idempotency_keys set status = ${answer.status}, reply = ${JSON.stringify(answer.body)}::json,
        finished_at = clock_timestamp()
      where account_id = ${name.accountId} and key = ${name.key} and part = ${name.part} and fence = ${name.owner}
        and finished_at is null
      returning 1
    )
    select pg_notify('gateway', ${topic}) from kept`);
  return rows.length > 0;
}

/** What is kept for the key of a call. */
export async function findKept(sql: Sql, callId: string): Promise<KeptAnswer | null> {
  const [row] = await sql<{ status: number; reply: KeptAnswer['reply']; available: bigint | null }[]>`
    select status, reply, available_microusd as available from idempotency_keys
    where call_id = ${callId} and finished_at is not null`;
  return row ? { ...row, callId } : null;
}

/**
 * Lengthens the lease of a key whose request is still being dealt with; false where it is another
 * owner's now.
 */
export async function extendKey(sql: Sql, name: OwnedName, leaseSeconds: number): Promise<boolean> {
  const rows = await sql`
    update idempotency_keys set lease_expires_at = clock_timestamp() + make_interval(secs => ${leaseSeconds}::int)
    where account_id = ${name.accountId} and key = ${name.key} and part = ${name.part} and fence = ${name.owner}
      and finished_at is null
    returning 1`;
  return rows.length > 0;
}

/** Whether the first answer of a request is kept. */
export async function hasAnswer(sql: Sql, { accountId, key, part }: RecordName): Promise<boolean> {
  const rows = await sql`
    select 1 from idempotency_keys
    where account_id = ${accountId} and key = ${key} and part = ${part} and finished_at is not null`;
  return rows.length > 0;
}
