import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, defineRow, integer, type RowOf, text } from '@/db/rows';
import { alertMessages, operatorAlerts } from '@/db/schema/background';

export type OpenAlert = typeof operatorAlerts.$inferSelect;
export type NewMessage = Pick<typeof alertMessages.$inferInsert, 'kind' | 'title' | 'path'>;

/** A problem in effect. */
export interface Problem {
  /** Identifies the problem: while it lasts, it is one alert. */
  cause: string;
  title: string;
  /** The operator's page about it. */
  path: string;
}

/** An arbitrary number; it serializes changes of alerts. */
const ALERT_LOCK = 7_305_112_046;

export async function lockAlerts(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${ALERT_LOCK})`);
}

export async function listOpenAlerts(db: Executor): Promise<OpenAlert[]> {
  return await db.select().from(operatorAlerts).where(sql`resolved_at is null`).orderBy(operatorAlerts.id);
}

export async function insertAlert(tx: Executor, { cause, title, path }: Problem): Promise<void> {
  await tx.insert(operatorAlerts).values({ cause, title, path });
}

export async function resolveAlert(tx: Executor, id: bigint): Promise<void> {
  await tx.execute(sql`update operator_alerts set resolved_at = now() where id = ${id}`);
}

/** An older end was left unreported by a stop, and is no news. */
const UNREPORTED = sql`resolved_at > notified_at and resolved_at > now() - interval '1 day'`;

/** Reopens an alert whose end was not reported yet. @returns whether there was one */
export async function reopenAlert(tx: Executor, cause: string): Promise<boolean> {
  const reopened = await tx.execute(sql`
    update operator_alerts set resolved_at = null where id = (
      select id from operator_alerts where cause = ${cause} and ${UNREPORTED} order by id desc limit 1)
    returning id`);
  return reopened.length > 0;
}

const endedRow = defineRow({ title: text(), path: text() });

/** Marks alerts that ended this long ago as reported. @returns those that were not yet */
export async function markEndsReported(tx: Executor, minutes: number) {
  return await endedRow.read(
    tx.execute(sql`
      update operator_alerts set notified_at = now()
      where ${UNREPORTED} and resolved_at <= now() - make_interval(mins => ${minutes}::int)
      returning title, path`),
  );
}

/** @returns whether its last notice is older than a reminder's interval */
export async function remindOfAlert(
  tx: Executor,
  id: bigint,
  title: string,
  hours: number,
): Promise<boolean> {
  const due = await tx.execute(sql`
    update operator_alerts set notified_at = now(), title = ${title}
    where id = ${id} and notified_at <= now() - make_interval(hours => ${hours}::int) returning id`);
  return due.length > 0;
}

/** Queues a notice to each recipient. */
export async function insertMessages(
  tx: Executor,
  recipients: readonly { channel: 'email' | 'webhook'; recipient: string | null }[],
  message: NewMessage,
): Promise<void> {
  if (recipients.length > 0)
    await tx.insert(alertMessages).values(recipients.map((to) => ({ ...to, ...message })));
}

const leasedRow = defineRow({
  id: bigint(),
  channel: text<'email' | 'webhook'>(),
  recipient: text().nullable(),
  kind: text<NewMessage['kind']>(),
  title: text(),
  path: text(),
  attempts: integer(),
});
export type LeasedMessage = RowOf<typeof leasedRow>;

/**
 * Leases the message that has been due longest; null if none is due. Each recipient gets them in
 * order, or a delayed alert would follow its own recovery notice; a test waits for none.
 */
export async function leaseMessage(
  db: Executor,
  { leaseSeconds, maxAttempts }: { leaseSeconds: number; maxAttempts: number },
): Promise<LeasedMessage | null> {
  const [row] = await leasedRow.read(
    db.execute(sql`
      update alert_messages set attempts = attempts + 1, due_at = now() + make_interval(secs => ${leaseSeconds}::int)
      where id = (select m.id from alert_messages m
        where m.sent_at is null and m.due_at <= now() and m.attempts < ${maxAttempts}
          and (m.kind = 'test' or not exists (
            select 1 from alert_messages e where e.sent_at is null and e.attempts < ${maxAttempts} and e.id < m.id
              and e.kind <> 'test' and e.channel = m.channel and e.recipient is not distinct from m.recipient))
        order by m.due_at, m.id limit 1 for update skip locked)
      returning id, channel, recipient, kind, title, path, attempts`),
  );
  return row ?? null;
}

export async function markMessageSent(db: Executor, id: bigint): Promise<void> {
  await db.execute(sql`update alert_messages set sent_at = now(), error = null where id = ${id}`);
}

export async function postponeMessage(
  db: Executor,
  id: bigint,
  seconds: number,
  error: string,
): Promise<void> {
  await db.execute(sql`
    update alert_messages set due_at = now() + make_interval(secs => ${seconds}::int), error = ${error} where id = ${id}`);
}

const failureRow = defineRow({
  channel: text<'email' | 'webhook'>(),
  error: text().nullable(),
  failed: integer(),
});

/** The channels with messages of the last day that are not delivered, and the last reason. */
export async function listUndelivered(db: Executor) {
  return await failureRow.read(
    db.execute(sql`
      select channel, (array_agg(error order by id desc))[1] as error, count(*)::int as failed from alert_messages
      where sent_at is null and error is not null and created_at > now() - interval '1 day' group by channel`),
  );
}

const recentRow = defineRow({ recent: integer() });

export async function hasRecentTest(tx: Executor, seconds: number): Promise<boolean> {
  const [row] = await recentRow.read(
    tx.execute(sql`
      select count(*)::int as recent from alert_messages
      where kind = 'test' and created_at > now() - make_interval(secs => ${seconds}::int)`),
  );
  return (row?.recent ?? 0) > 0;
}
