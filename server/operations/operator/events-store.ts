import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, boolean, defineRow, integer, type RowOf, text, timestamptz } from '@/db/rows';
import { selectAccountName } from './account-names';
import type { EventRow } from './schema';

const eventDbRow = defineRow({
  id: text(),
  type: text(),
  outcome: text<'applied' | 'ignored'>().nullable(),
  attempts: integer(),
  error: text().nullable(),
  payment_id: text().nullable(),
  replayable: boolean(),
  /** The receive time in microseconds, as cursors need it. */
  place: text(),
  received_at: timestamptz(),
  finished_at: timestamptz().nullable(),
});
export type EventDbRow = RowOf<typeof eventDbRow>;

const STATE = {
  failed: sql`outcome is null and error is not null`,
  received: sql`outcome is null and error is null`,
  processed: sql`outcome is not null`,
} satisfies Record<EventRow['state'], SQL>;

/**
 * Payment provider events, newest first.
 * @param before the place and id of the previous page's last event
 */
export async function listEvents(
  db: Executor,
  state: EventRow['state'] | undefined,
  before: { place: string; id: string } | null,
  limit: number,
): Promise<EventDbRow[]> {
  return await eventDbRow.read(
    db.execute(sql`
      select id, type, outcome, attempts, error, payment_id, live is not null as replayable, received_at, finished_at,
        (extract(epoch from received_at) * 1000000)::bigint::text as place
      from payment_events where ${state ? STATE[state] : sql`true`}
        ${before === null ? sql`` : sql`and (received_at, id) < (to_timestamp(0) + ${before.place}::bigint * interval '1 microsecond', ${before.id})`}
      order by received_at desc, id desc limit ${limit}`),
  );
}

const countRow = defineRow({ n: integer() });

export async function countFailed(db: Executor): Promise<number> {
  const [row] = await countRow.read(
    db.execute(
      sql`select count(*)::int as n from payment_events where outcome is null and error is not null`,
    ),
  );
  return row?.n ?? 0;
}

const emailDbRow = defineRow({
  id: bigint(),
  kind: text(),
  account_id: text(),
  account_name: text(),
  attempts: integer(),
  error: text().nullable(),
  due_at: timestamptz(),
  created_at: timestamptz(),
});
type EmailDbRow = RowOf<typeof emailDbRow>;

/** Emails with a failed attempt that have not been sent since, newest first. */
export async function listFailedEmails(db: Executor, limit: number): Promise<EmailDbRow[]> {
  return await emailDbRow.read(
    db.execute(sql`
      select id, kind, account_id, coalesce(${selectAccountName(sql`account_id`)}, account_id) as account_name,
        attempts, error, due_at, created_at from outgoing_emails
      where sent_at is null and error is not null order by id desc limit ${limit}`),
  );
}
