import { arrayLiteral } from '@/db/array-literal';
import type { Sql } from '@/db/client';
import type { StandinEvent } from './objects';

/** An event that waits to be sent, taken by one process. */
export interface TakenDelivery {
  eventId: string;
  event: StandinEvent;
  attempts: number;
}

/** How an event's delivery stands. */
export interface DeliveryState {
  attempts: number;
  done: boolean;
  last_answer: string | null;
}

/** Who takes a delivery and dies leaves it to the others after this time. */
const LEASE = '30 seconds';

/** Takes some deliveries that are due; no one else gets them until the lease ends. */
export async function takeDeliveries(sql: Sql, most: number, attempts: number): Promise<TakenDelivery[]> {
  return await sql<TakenDelivery[]>`
    with due as (
      select event_id from stripe_standin.deliveries
      where done_at is null and due_at <= clock_timestamp() and attempts < ${attempts}
      order by due_at limit ${most} for update skip locked
    ), taken as (
      update stripe_standin.deliveries
      set attempts = attempts + 1, due_at = clock_timestamp() + ${LEASE}::interval
      where event_id in (select event_id from due)
      returning event_id, attempts
    )
    select taken.event_id as "eventId", taken.attempts, objects.data as event
    from taken join stripe_standin.objects on objects.id = taken.event_id
    order by objects.seq`;
}

export async function finishDelivery(sql: Sql, eventId: string, answer: string): Promise<void> {
  await sql`
    with done as (
      update stripe_standin.deliveries set done_at = clock_timestamp(), last_answer = ${answer}
      where event_id = ${eventId} returning event_id
    )
    update stripe_standin.objects set data = jsonb_set(data, '{pending_webhooks}', '0')
    where id in (select event_id from done)`;
}

export async function delayDelivery(
  sql: Sql,
  eventId: string,
  answer: string,
  seconds: number,
): Promise<void> {
  await sql`
    update stripe_standin.deliveries
    set due_at = clock_timestamp() + make_interval(secs => ${seconds}), last_answer = ${answer}
    where event_id = ${eventId} and done_at is null`;
}

export async function findDeliveries(sql: Sql, eventIds: string[]): Promise<Map<string, DeliveryState>> {
  const rows = await sql<(DeliveryState & { event_id: string })[]>`
    select event_id, attempts, done_at is not null as done, last_answer
    from stripe_standin.deliveries where event_id = any(${arrayLiteral(eventIds)}::text[])`;
  return new Map(rows.map(({ event_id, ...state }) => [event_id, state]));
}

/** Forgets what Stripe forgets too: answers after a day, events after thirty. */
export async function forgetOld(sql: Sql): Promise<void> {
  await sql`delete from stripe_standin.requests where started_at < clock_timestamp() - interval '24 hours'`;
  const gone = await sql<{ id: string }[]>`
    delete from stripe_standin.objects
    where kind = 'event' and created < extract(epoch from clock_timestamp() - interval '30 days') returning id`;
  if (gone.length > 0)
    await sql`delete from stripe_standin.deliveries where event_id = any(${arrayLiteral(gone.map(({ id }) => id))}::text[])`;
}
