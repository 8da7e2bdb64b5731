import { type SQL, sql } from 'drizzle-orm';
import type { Database, Executor } from '@/db/client';
import { boolean, defineRow, integer, json, type RowOf, text } from '@/db/rows';

/** The body of a webhook, without what depends on the gateway's settings. */
export interface WebhookPayload {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

const leasedRow = defineRow({
  id: text(),
  account_id: text(),
  holder_id: text(),
  event_id: text(),
  payload: json<WebhookPayload>(),
  attempts: integer(),
  url: text().nullable(),
  is_endpoint: boolean(),
  /** Its endpoint was disabled or deleted. */
  is_disabled: boolean(),
  sealed: text().nullable(),
  previous_sealed: text().nullable(),
});

/** A delivery that this process sends, with what it needs for that. */
export type LeasedDelivery = RowOf<typeof leasedRow>;

/** Whose deliveries have few places: accounts that nobody has claimed, and receivers that fail. */
const SENDER_CLASSES = ['unclaimed', 'failing', 'regular'] as const;
type SenderClass = (typeof SENDER_CLASSES)[number];

/** A delivery whose turn it is, and its account. */
export interface QueuedDelivery {
  id: string;
  accountId: string;
}

const takenRow = defineRow({ id: text(), account_id: text() });

/**
 * Takes deliveries out of the queue, first those of accounts that have the fewest running, then
 * those that have waited longest. Leasing one decides whether it is sent now.
 * @param running the accounts of those that this process sends
 */
export async function takeQueuedDeliveries(
  db: Executor,
  { limit, running }: { limit: number; running: string[] },
): Promise<QueuedDelivery[]> {
  const rows = await takenRow.read(
    db.execute(sql`
      select id, account_id from take_queued_deliveries(${limit}::int, ${sql.param(running)}::text[])`),
  );
  return rows.map(({ id, account_id: accountId }) => ({ id, accountId }));
}

export interface LeaseLimits {
  seconds: number;
  /** The most deliveries in flight to one endpoint or for one key, for an account, for a class. */
  most: Record<SenderClass, { perHolder: number; perAccount: number; inClass: number | null }>;
}

/**
 * Leases a due delivery; null if it is not due, or too many are in flight. Then the process that
 * sends these continues with the next one.
 */
export async function leaseDelivery(
  db: Database,
  id: string,
  limits: LeaseLimits,
): Promise<LeasedDelivery | null> {
  return await db.transaction(async (tx) => {
    const sender = await lockSenderOf(tx, sql`id = ${id}`);
    return sender && (await lease(tx, sql`d.id = ${id}`, sender, limits));
  });
}

/** Leases the delivery of a holder that has been due longest. */
export async function leaseNextDelivery(
  db: Database,
  holderId: string,
  limits: LeaseLimits,
): Promise<LeasedDelivery | null> {
  return await db.transaction(async (tx) => {
    const sender = await lockSenderOf(tx, sql`holder_id = ${holderId}`);
    return sender && (await lease(tx, sql`d.holder_id = ${holderId}`, sender, limits));
  });
}

/** The class of the sender of a delivery `d`. */
const senderClass = sql`case
  when exists (select 1 from accounts a where a.id = d.account_id and a.type = 'provisional') then 'unclaimed'
  when exists (select 1 from webhook_deliveries f where f.holder_id = d.holder_id and f.state = 'pending'
    and f.attempts > 0) then 'failing'
  else 'regular' end`;

const senderRow = defineRow({ sender: text<SenderClass>() });

/**
 * Locks the account, then the class: leases of one are taken one after the other, and each counts
 * those before it. Regular ones have no limit together.
 */
async function lockSenderOf(tx: Executor, which: SQL): Promise<SenderClass | null> {
  const lock = (name: SQL) => sql`pg_advisory_xact_lock(hashtextextended('webhook-leases:' || ${name}, 0))`;
  const [row] = await senderRow.read(
    tx.execute(sql`
      select ${senderClass} as sender
      from (select account_id, holder_id from webhook_deliveries where ${which} limit 1) d
      where ${lock(sql`d.account_id`)}::text is not null`),
  );
  if (!row) return null;
  if (row.sender !== 'regular') await tx.execute(sql`select ${lock(sql`${row.sender}::text`)}`);
  return row.sender;
}

async function lease(
  tx: Executor,
  which: SQL,
  sender: SenderClass,
  limits: LeaseLimits,
): Promise<LeasedDelivery | null> {
  const { perHolder, perAccount, inClass } = limits.most[sender];
  const withinClass =
    inClass === null
      ? sql``
      : sql`and (select count(*) from (
            select ${senderClass} as sender from webhook_deliveries d where d.lease_expires_at > clock_timestamp()
          ) o where o.sender = ${sender}) < ${inClass}`;
  const [row] = await leasedRow.read(
    tx.execute(sql`
      with due as (
        select d.id from webhook_deliveries d
        where ${which} and d.state = 'pending' and d.next_attempt_at <= clock_timestamp()
          and coalesce(d.lease_expires_at < clock_timestamp(), true)
          and (select count(*) from webhook_deliveries o where o.account_id = d.account_id
            and o.lease_expires_at > clock_timestamp()) < ${perAccount}
          and (select count(*) from webhook_deliveries o where o.account_id = d.account_id
            and o.holder_id = d.holder_id and o.lease_expires_at > clock_timestamp()) < ${perHolder}
          ${withinClass}
        order by d.next_attempt_at limit 1 for update skip locked
      ), leased as (
        update webhook_deliveries d
        set lease_expires_at = clock_timestamp() + make_interval(secs => ${limits.seconds}::int), queued_at = null
        from due where d.id = due.id returning d.*
      )
      select l.id, l.account_id, l.holder_id, l.event_id, l.payload, l.attempts, coalesce(l.url, e.url) as url,
        l.url is null as is_endpoint, l.url is null and (e.id is null or e.disabled_at is not null) as is_disabled, s.sealed,
        case when s.previous_expires_at > clock_timestamp() then s.previous_sealed end as previous_sealed
      from leased l left join webhook_endpoints e on e.id = l.holder_id
        left join webhook_secrets s on s.holder_id = l.holder_id`),
  );
  return row ?? null;
}

/**
 * Locks the endpoint of a delivery. Changes of an endpoint lock it before its deliveries, so what
 * records an attempt does too.
 */
export async function lockEndpointOf(
  tx: Executor,
  { is_endpoint, holder_id }: LeasedDelivery,
): Promise<void> {
  if (!is_endpoint) return;
  await tx.execute(sql`select 1 from webhook_endpoints where id = ${holder_id} for no key update`);
}

/** One request and its response. */
export interface AttemptRecord {
  url: string;
  requestHeaders: Record<string, string>;
  status: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
}

export async function insertAttempt(tx: Executor, deliveryId: string, attempt: AttemptRecord): Promise<void> {
  await tx.execute(sql`
    insert into webhook_attempts (delivery_id, url, request_headers, status, response_body, error, duration_ms)
    select d.id, ${attempt.url}, ${JSON.stringify(attempt.requestHeaders)}::text::json, ${attempt.status}::int,
      ${attempt.responseBody}, ${attempt.error}, ${attempt.durationMs}::int
    from webhook_deliveries d where d.id = ${deliveryId} for key share`);
}

/** Ends the lease of a delivery that was not sent to its end: it is still due. */
export async function releaseDelivery(db: Executor, id: string): Promise<void> {
  await db.execute(
    sql`update webhook_deliveries set lease_expires_at = null where id = ${id} and state = 'pending'`,
  );
}

/** Ends a delivery as delivered, and the failures of its endpoint. */
export async function markDelivered(tx: Executor, delivery: LeasedDelivery, status: number): Promise<void> {
  await tx.execute(sql`
    update webhook_deliveries set state = 'delivered', attempts = attempts + 1, next_attempt_at = null,
      lease_expires_at = null, last_status = ${status}::int, last_error = null, finished_at = clock_timestamp()
    where id = ${delivery.id}`);
  if (delivery.is_endpoint)
    await tx.execute(sql`
      update webhook_endpoints set failing_since = null where id = ${delivery.holder_id} and failing_since is not null`);
}

interface FailedAttempt {
  status: number | null;
  error: string | null;
  /** Seconds until the next attempt; null ends the delivery. */
  retrySeconds: number | null;
}

/** Records a failed attempt of a pending delivery, and schedules the next one within its time. */
export async function markFailed(tx: Executor, id: string, failed: FailedAttempt): Promise<void> {
  const ends = sql`(${failed.retrySeconds === null} or n.next >= expires_at)`;
  await tx.execute(sql`
    update webhook_deliveries set attempts = attempts + 1, lease_expires_at = null, last_status = ${failed.status}::int,
      last_error = ${failed.error}, state = case when ${ends} then 'failed' else 'pending' end,
      next_attempt_at = case when ${ends} then null else n.next end,
      queued_at = case when ${ends} then null else n.next end,
      finished_at = case when ${ends} then clock_timestamp() end
    from (select clock_timestamp() + make_interval(secs => ${failed.retrySeconds ?? 0}::float8) as next) n
    where id = ${id} and state = 'pending'`);
}

const failingRow = defineRow({ is_overdue: boolean() });

/** Notes a failure of an endpoint; true if it has only failed for this many days. */
export async function noteFailure(tx: Executor, endpointId: string, days: number): Promise<boolean> {
  const [row] = await failingRow.read(
    tx.execute(sql`
      update webhook_endpoints set failing_since = coalesce(failing_since, clock_timestamp())
      where id = ${endpointId} and disabled_at is null
      returning failing_since < clock_timestamp() - make_interval(days => ${days}::int) as is_overdue`),
  );
  return row?.is_overdue ?? false;
}

/**
 * Puts overdue deliveries back into the queue, one for each receiver: the process that took them
 * has died, or they waited for others to the same receiver.
 */
export async function requeueOverdue(db: Executor, seconds: number, limit: number): Promise<number> {
  return await enqueue(
    db,
    sql`select distinct on (d.holder_id) d.id from webhook_deliveries d
      where d.state = 'pending' and d.next_attempt_at < clock_timestamp() - make_interval(secs => ${seconds}::int)
        and coalesce(d.lease_expires_at < clock_timestamp(), true) and d.queued_at is null
      order by d.holder_id, d.next_attempt_at limit ${limit}`,
  );
}

/** Puts the next due delivery of a receiver behind those of others in the queue. */
export async function requeueNext(db: Executor, holderId: string): Promise<void> {
  await enqueue(
    db,
    sql`select d.id from webhook_deliveries d
      where d.holder_id = ${holderId} and d.state = 'pending' and d.next_attempt_at <= clock_timestamp()
        and coalesce(d.lease_expires_at < clock_timestamp(), true)
      order by d.next_attempt_at limit 1`,
  );
}

/** @returns how many were put there; what another process is changing is left out */
async function enqueue(db: Executor, deliveries: SQL): Promise<number> {
  const rows = await db.execute(sql`
    with queued as (
      update webhook_deliveries set queued_at = clock_timestamp() where id in (
        select id from webhook_deliveries where id in (${deliveries}) and state = 'pending'
        for no key update skip locked
      ) returning 1
    )
    select pg_notify('gateway', 'webhooks') from queued`);
  return rows.length;
}
