import type { StripeEvent } from '../resources/objects';
import type { Sql } from '../types';

/** An event to send, leased by one process. */
export interface LeasedDelivery {
  eventId: string;
  event: StripeEvent;
  attempts: number;
}

export interface DeliveryState {
  attempts: number;
  done: boolean;
  last_answer: string | null;
}

/** If a process dies while it sends, others take over after this time. */
const LEASE = '30 seconds';

/**
 * Leases up to `limit` due deliveries that had fewer than `maxAttempts` attempts, and counts the
 * attempt.
 */
export async function leaseDeliveries(
  sql: Sql,
  limit: number,
  maxAttempts: number,
): Promise<LeasedDelivery[]> {
  return await sql<LeasedDelivery[]>`
    with due as (
      select event_id from fake_stripe.deliveries
      where done_at is null and due_at <= clock_timestamp() and attempts < ${maxAttempts}
      order by due_at limit ${limit} for update skip locked
    ), leased as (
      update fake_stripe.deliveries
      set attempts = attempts + 1, due_at = clock_timestamp() + ${LEASE}::interval
      where event_id in (select event_id from due)
      returning event_id, attempts
    )
    select leased.event_id as "eventId", leased.attempts, objects.data as event
    from leased join fake_stripe.objects on objects.id = leased.event_id
    order by objects.seq`;
}

export async function completeDelivery(sql: Sql, eventId: string, result: string): Promise<void> {
  await sql`
    with done as (
      update fake_stripe.deliveries set done_at = clock_timestamp(), last_answer = ${result}
      where event_id = ${eventId} returning event_id
    )
    update fake_stripe.objects set data = jsonb_set(data, '{pending_webhooks}', '0')
    where id in (select event_id from done)`;
}

export async function delayDelivery(
  sql: Sql,
  eventId: string,
  result: string,
  seconds: number,
): Promise<void> {
  await sql`
    update fake_stripe.deliveries
    set due_at = clock_timestamp() + make_interval(secs => ${seconds}), last_answer = ${result}
    where event_id = ${eventId} and done_at is null`;
}

export async function findDeliveries(sql: Sql, eventIds: string[]): Promise<Map<string, DeliveryState>> {
  const rows = await sql<(DeliveryState & { event_id: string })[]>`
    select event_id, attempts, done_at is not null as done, last_answer
    from fake_stripe.deliveries
    where event_id in (select jsonb_array_elements_text(${JSON.stringify(eventIds)}::text::jsonb))`;
  return new Map(rows.map(({ event_id, ...state }) => [event_id, state]));
}

/** Deletes what Stripe deletes too: stored responses after a day, events after thirty. */
export async function deleteExpired(sql: Sql): Promise<void> {
  await sql`delete from fake_stripe.requests where started_at < clock_timestamp() - interval '24 hours'`;
  await sql`
    with expired as (
      delete from fake_stripe.objects
      where kind = 'event' and created < extract(epoch from clock_timestamp() - interval '30 days')
      returning id
    )
    delete from fake_stripe.deliveries where event_id in (select id from expired)`;
}
