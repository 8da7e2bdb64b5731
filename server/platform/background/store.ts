import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, text } from '@/db/rows';
import { backgroundJobs } from '@/db/schema/background';

export type BackgroundJobRow = typeof backgroundJobs.$inferSelect;

/** The end of a run. */
export interface RunRecord {
  name: string;
  /** Null for a job that people start. */
  everySeconds: number | null;
  durationMs: number;
  /** Why it failed; null if it did not. */
  error: string | null;
}

/** @param next whether the next run is one interval later; otherwise `claimRun` has set it */
export async function insertRun(
  db: Executor,
  { name, everySeconds, durationMs, error }: RunRecord,
  next: boolean,
): Promise<void> {
  const nextAt =
    everySeconds === null ? sql`null::timestamptz` : sql`now() + make_interval(secs => ${everySeconds}::int)`;
  const kept = next ? sql`coalesce(excluded.next_at, j.next_at)` : sql`coalesce(j.next_at, excluded.next_at)`;
  await db.execute(sql`
    insert into background_jobs as j (name, every_seconds, started_at, duration_ms, ok, error, failing_at, next_at, updated_at)
    values (${name}, ${everySeconds}::int, now() - make_interval(secs => ${durationMs / 1000}::float8), ${durationMs}::int,
      ${error === null}, ${error}, ${error === null ? sql`null` : sql`now()`}, ${nextAt}, now())
    on conflict (name) do update set every_seconds = excluded.every_seconds, started_at = excluded.started_at,
      duration_ms = excluded.duration_ms, ok = excluded.ok, error = excluded.error,
      failing_at = case when excluded.ok then null else coalesce(j.failing_at, now()) end,
      next_at = ${kept}, updated_at = now()`);
}

const claimedRow = defineRow({ name: text() });

/** Sets the next run of a job that is due. @returns whether this process runs it now */
export async function claimRun(
  db: Executor,
  { name, everySeconds, first }: { name: string; everySeconds: number; first: 'now' | 'later' },
): Promise<boolean> {
  const every = sql`make_interval(secs => ${everySeconds}::int)`;
  const made = await db.execute(sql`
    insert into background_jobs (name, every_seconds, next_at)
    values (${name}, ${everySeconds}::int, now() + ${every}) on conflict (name) do nothing returning name`);
  if (made.length > 0) return first === 'now';
  // A tick comes a little early or late: whole minutes keep the intervals even.
  const claimed = await claimedRow.read(
    db.execute(sql`
      update background_jobs set every_seconds = ${everySeconds}::int,
        next_at = date_trunc('minute', now()) + ${every}
      where name = ${name} and (next_at <= now() or next_at > now() + ${every} or next_at is null) returning name`),
  );
  return claimed.length > 0;
}

/** All jobs by name. */
export async function listBackgroundJobs(db: Executor): Promise<BackgroundJobRow[]> {
  return await db.select().from(backgroundJobs).orderBy(backgroundJobs.name);
}
