import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import type { EventRow } from './schema';

export interface EventDbRow extends Record<string, unknown> {
  id: string;
  type: string;
  outcome: 'applied' | 'ignored' | null;
  attempts: number;
  error: string | null;
  payment_id: string | null;
  replayable: boolean;
  /** The receive time in microseconds, as cursors need it. */
  place: string;
  received_at: string;
  finished_at: string | null;
}

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
  return await db.execute<EventDbRow>(sql`
    select id, type, outcome, attempts, error, payment_id, live is not null as replayable, received_at, finished_at,
      (extract(epoch from received_at) * 1000000)::bigint::text as place
    from payment_events where ${state ? STATE[state] : sql`true`}
      ${before === null ? sql`` : sql`and (received_at, id) < (to_timestamp(0) + ${before.place}::bigint * interval '1 microsecond', ${before.id})`}
    order by received_at desc, id desc limit ${limit}`);
}

export async function countFailed(db: Executor): Promise<number> {
  const [row] = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from payment_events where outcome is null and error is not null`,
  );
  return row?.n ?? 0;
}

interface EmailDbRow extends Record<string, unknown> {
  id: bigint;
  kind: string;
  account_id: string;
  attempts: number;
  error: string | null;
  due_at: string;
  created_at: string;
}

/** Emails with a failed attempt that have not been sent since, newest first. */
export async function listFailedEmails(db: Executor, limit: number): Promise<EmailDbRow[]> {
  return await db.execute<EmailDbRow>(sql`
    select id, kind, account_id, attempts, error, due_at, created_at from outgoing_mails
    where sent_at is null and error is not null order by id desc limit ${limit}`);
}
