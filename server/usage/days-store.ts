import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';

const DAY_MS = 86_400_000;
/** The first instant whose hour is not in `usage_days`. */
const DAYS_UNTIL = sql`(select coalesce(max(kept_from), '-infinity') from retention_marks where what = 'usage_days')`;
/** No call ends this long after the time that it says it ended at. */
const SETTLED = sql`interval '1 hour'`;
/** Four weeks, in hours: days have 23 or 25 of them where the database has another zone than UTC. */
const STEP = sql`interval '672 hours'`;
/** Claims and deletions wait so long, and a step more, at most. */
const LONGEST_MS = 4_000;

const COUNTS = sql.raw(
  'account_id, key_id, tool, calls, failed, byok_calls, raw_cost_microusd, markup_microusd, latency_ms_sum',
);
const SUMS = sql.raw(
  'sum(calls), sum(failed), sum(byok_calls), sum(raw_cost_microusd), sum(markup_microusd), sum(latency_ms_sum)',
);

/**
 * The roll-ups of a span as a relation with the columns of `usage_rollups`, from summed up days where they are there: the same
 * sums from far fewer rows. For whoever groups by days (UTC) or coarser.
 *
 * Which hours the days hold is read in the same statement: the last day grows while it lasts. As the planner does not know
 * that instant then, each part has two bounds: it takes such a span for short, one with an open end for a third of all.
 * @param whose the condition on the columns that hours and days have both, such as `account_id = …`
 */
export function usageBetween(whose: SQL, from: Date | null, to: Date | null): SQL {
  const firstDay = from && new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const lastDay = to && new Date(Math.floor(to.getTime() / DAY_MS) * DAY_MS);
  if (firstDay && lastDay && firstDay >= lastDay) return sql`(${hours(whose, at(from), at(to))})`;
  const start = firstDay ? at(firstDay) : sql`'-infinity'::timestamptz`;
  // Where the span ends in the middle of what is summed up, its last day is told by the hour.
  const until = lastDay
    ? sql`case when ${at(to)} >= ${DAYS_UNTIL} then ${DAYS_UNTIL} else ${at(lastDay)} end`
    : DAYS_UNTIL;
  const end = sql`(select greatest(${start}, ${until}))`;
  const parts = [
    sql`select day as hour, ${COUNTS} from usage_days where ${whose} and day >= ${start} and day < ${end}`,
    hours(whose, end, at(to)),
  ];
  if (from && firstDay && from < firstDay) parts.push(hours(whose, at(from), at(firstDay)));
  return sql`(${sql.join(parts, sql` union all `)})`;
}

function hours(whose: SQL, from: SQL | null, to: SQL | null): SQL {
  return sql`select hour, ${COUNTS} from usage_rollups
    where ${whose} ${from ? sql`and hour >= ${from}` : sql``} and hour < ${to ?? sql`'infinity'::timestamptz`}`;
}

function at(instant: Date): SQL;
function at(instant: Date | null): SQL | null;
function at(instant: Date | null): SQL | null {
  return instant && sql`${instant.toISOString()}::timestamptz`;
}

/**
 * Adds hours that are over to their days, of all accounts, some weeks a statement: all of a long history in one would take
 * longer than a statement may. What is left after a few seconds is for the next time. @returns how many rows were added or grew
 *
 * The lock comes first: who moves or deletes an account's hours and days meanwhile waits, or is waited for, and neither
 * leaves days behind that are nobody's.
 */
export async function insertEndedDays(tx: Executor): Promise<number> {
  await tx.execute(sql`lock table usage_days in share row exclusive mode`);
  const began = performance.now();
  let rows = 0;
  for (let until = await nextUntil(tx); until !== null; until = await nextUntil(tx)) {
    const added = await tx.execute(daysOf(sql`hour >= ${DAYS_UNTIL} and hour < ${until}::timestamptz`));
    await tx.execute(sql`insert into retention_marks (what, kept_from) values ('usage_days', ${until}::timestamptz)
      on conflict (what) do update set kept_from = excluded.kept_from`);
    rows += added.count;
    if (performance.now() - began > LONGEST_MS) break;
  }
  return rows;
}

/** Up to when the next step goes, which begins with the first day that has calls; null where nothing is due. */
async function nextUntil(tx: Executor): Promise<string | null> {
  const over = sql`date_trunc('hour', now() - ${SETTLED}, 'UTC')`;
  const first = sql`(select date_trunc('day', min(hour), 'UTC') from usage_rollups where hour >= ${DAYS_UNTIL})`;
  const [row] = await tx.execute<{ until: string | null }>(sql`
    select (case when ${DAYS_UNTIL} < ${over} then least(${over}, ${first} + ${STEP}) end)::text as until`);
  return row?.until ?? null;
}

/** Days of keys whose hours were written into the past (made-up usage). */
export async function insertPastDays(tx: Executor, keyIds: readonly string[]): Promise<void> {
  await tx.execute(sql`lock table usage_days in share row exclusive mode`);
  await tx.execute(daysOf(sql`key_id = any(${sql.param([...keyIds])}::text[]) and hour < ${DAYS_UNTIL}`));
}

/** In the order in which they are read: a month of an account is then few pages. */
function daysOf(which: SQL): SQL {
  return sql`insert into usage_days as d (account_id, day, key_id, tool, calls, failed, byok_calls, raw_cost_microusd,
      markup_microusd, latency_ms_sum)
    select account_id, date_trunc('day', hour, 'UTC'), key_id, tool, ${SUMS} from usage_rollups where ${which}
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (account_id, day, key_id, tool) do update set calls = d.calls + excluded.calls,
      failed = d.failed + excluded.failed, byok_calls = d.byok_calls + excluded.byok_calls,
      raw_cost_microusd = d.raw_cost_microusd + excluded.raw_cost_microusd,
      markup_microusd = d.markup_microusd + excluded.markup_microusd,
      latency_ms_sum = d.latency_ms_sum + excluded.latency_ms_sum`;
}
