import { desc, eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, float, integer, text } from '@/db/rows';
import { type IncidentUpdate, incidents } from '@/db/schema/background';
import { NOT_SEEDED } from '../../../catalog/tools/not-seeded';
import { STATUS_DAYS } from './limits';
import type { ComponentState } from './schema';

/** Rows of the latencies are sampled by pages of the table. */
const SAMPLE = 20_000;
/** A gateway that probed nothing for longer was not running. */
const GAP_SECONDS = 180;

/**
 * Adds a sample of each component to its day. Minutes without samples since the last one are failed
 * samples of the API, because nothing ran.
 */
export async function addSamples(
  db: Executor,
  samples: readonly { component: string; state: ComponentState }[],
  previous: Date | null,
): Promise<void> {
  const gap =
    previous === null
      ? sql``
      : sql`union all
        select 'api', (m at time zone 'UTC')::date, count(*)::int, 0, count(*)::int
        from generate_series(${previous.toISOString()}::timestamptz + interval '1 minute', now() - interval '1 minute', interval '1 minute') m
        where now() - ${previous.toISOString()}::timestamptz > ${GAP_SECONDS}::int * interval '1 second'
          and m > now() - ${STATUS_DAYS}::int * interval '1 day'
        group by 2`;
  await db.execute(sql`
    insert into status_days as d (component, day, samples, degraded, failed)
    select component, day, sum(samples)::int, sum(degraded)::int, sum(failed)::int from (
      select component, (now() at time zone 'UTC')::date as day, 1 as samples,
        (state = 'degraded')::int as degraded, (state = 'down')::int as failed
      from jsonb_to_recordset(${JSON.stringify(samples)}::jsonb) as s(component text, state text)
      ${gap}
    ) s group by component, day
    on conflict (component, day) do update set samples = d.samples + excluded.samples,
      degraded = d.degraded + excluded.degraded, failed = d.failed + excluded.failed`);
}

const dayRow = defineRow({
  component: text(),
  day: text(),
  samples: integer(),
  degraded: integer(),
  failed: integer(),
});

export async function listStatusDays(db: Executor) {
  return await dayRow.read(
    db.execute(sql`
      select component, to_char(day, 'YYYY-MM-DD') as day, samples, degraded, failed from status_days
      where day > (now() at time zone 'UTC')::date - ${STATUS_DAYS}::int order by component, day`),
  );
}

const latencyRow = defineRow({ p50: float().nullable(), p95: float().nullable(), calls: integer() });

/** Latencies of successful calls of 24 hours, from a sample, and how many there were. */
export async function measureCallLatency(db: Executor) {
  const [row] = await latencyRow.read(
    db.execute(sql`
      with size as (
        select least(100, ${SAMPLE}::float8 * 100 / greatest(1, sum(greatest(c.reltuples, 0)))) as percent
        from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'usage_records'::regclass
          and c.relname >= to_char((now() - interval '1 day') at time zone 'UTC', '"usage_records_"YYYY_MM')
      )
      select percentile_disc(0.5) within group (order by latency_ms)::float8 as p50,
        percentile_disc(0.95) within group (order by latency_ms)::float8 as p95,
        (select coalesce(sum(calls - failed), 0)::int from usage_rollups
          where hour >= now() - interval '1 day' and ${NOT_SEEDED}) as calls
      from usage_records tablesample system ((select percent from size))
      where status = 'success' and created_at > now() - interval '1 day' and job_id is null and ${NOT_SEEDED}`),
  );
  return row ?? { p50: null, p95: null, calls: 0 };
}

const eventsRow = defineRow({ failed: integer() });

/**
 * Payment events that could not be processed. Their time is that of the first attempt.
 * @param hours only those received since; null for all
 */
export async function countFailedEvents(db: Executor, hours: number | null): Promise<number> {
  const since = hours === null ? sql`` : sql`and received_at > now() - make_interval(hours => ${hours}::int)`;
  const [row] = await eventsRow.read(
    db.execute(sql`
      select count(*)::int as failed from payment_events
      where outcome is null and error is not null ${since}`),
  );
  return row?.failed ?? 0;
}

export type IncidentRow = typeof incidents.$inferSelect;

export async function insertIncident(tx: Executor, row: typeof incidents.$inferInsert): Promise<void> {
  await tx.insert(incidents).values(row);
}

/** Locks the incident until the transaction ends. */
export async function findIncident(tx: Executor, id: string): Promise<IncidentRow | null> {
  const [row] = await tx.select().from(incidents).where(eq(incidents.id, id)).for('update');
  return row ?? null;
}

export async function saveUpdates(
  tx: Executor,
  id: string,
  updates: IncidentUpdate[],
  resolvedAt: Date | null,
): Promise<void> {
  await tx.update(incidents).set({ updates, resolvedAt }).where(eq(incidents.id, id));
}

/** Open ones first, then newest first. */
export async function listIncidents(db: Executor, limit: number): Promise<IncidentRow[]> {
  return await db
    .select()
    .from(incidents)
    .orderBy(sql`${incidents.resolvedAt} is not null`, desc(incidents.createdAt))
    .limit(limit);
}
