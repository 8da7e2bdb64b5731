import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, text } from '@/db/rows';

const DAY_MS = 86_400_000;
/** The first hour that is not in `usage_days` yet. */
const DAYS_UNTIL = sql`(select coalesce(max(kept_from), '-infinity') from retention_marks where what = 'usage_days')`;
/** No call is recorded later than this after its end time. */
const SETTLED = sql`interval '1 hour'`;
/** Four weeks in hours: days have 23 or 25 hours if the database time zone is not UTC. */
const STEP = sql`interval '672 hours'`;
/** Claims and deletions wait at most this long, plus one step. */
const LONGEST_MS = 4_000;

const COUNTS = sql.raw(
  'account_id, key_id, tool, calls, failed, refused, byok_calls, raw_cost_microusd, markup_microusd, latency_ms_sum',
);
const SUMS = sql.raw(
  'sum(calls), sum(failed), sum(refused), sum(byok_calls), sum(raw_cost_microusd), sum(markup_microusd), sum(latency_ms_sum)',
);

/**
 * Returns the rollups of a span as a relation with the columns of `usage_rollups`, read from daily
 * sums where they exist: same totals from far fewer rows. For grouping by UTC days or longer units.
 *
 * The statement itself reads up to which hour the days are summed, because the current day still
 * grows. The planner does not know that instant, so each part has two bounds: it assumes few rows
 * for such a span, but a third of the table for an open one.
 * @param condition condition on columns that hours and days share, such as `account_id = …`
 */
export function usageBetween(condition: SQL, from: Date | null, to: Date | null): SQL {
  const firstDay = from && new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const lastDay = to && new Date(Math.floor(to.getTime() / DAY_MS) * DAY_MS);
  if (firstDay && lastDay && firstDay >= lastDay)
    return sql`(${selectHours(condition, toTimestamp(from), toTimestamp(to))})`;
  const start = firstDay ? toTimestamp(firstDay) : sql`'-infinity'::timestamptz`;
  // If the span ends within a summed day, read its last day by the hour.
  const until = lastDay
    ? sql`case when ${toTimestamp(to)} >= ${DAYS_UNTIL} then ${DAYS_UNTIL} else ${toTimestamp(lastDay)} end`
    : DAYS_UNTIL;
  const end = sql`(select greatest(${start}, ${until}))`;
  const parts = [
    sql`select day as hour, ${COUNTS} from usage_days where ${condition} and day >= ${start} and day < ${end}`,
    selectHours(condition, end, toTimestamp(to)),
  ];
  if (from && firstDay && from < firstDay)
    parts.push(selectHours(condition, toTimestamp(from), toTimestamp(firstDay)));
  return sql`(${sql.join(parts, sql` union all `)})`;
}

function selectHours(whose: SQL, from: SQL | null, to: SQL | null): SQL {
  return sql`select hour, ${COUNTS} from usage_rollups
    where ${whose} ${from ? sql`and hour >= ${from}` : sql``} and hour < ${to ?? sql`'infinity'::timestamptz`}`;
}

function toTimestamp(instant: Date): SQL;
function toTimestamp(instant: Date | null): SQL | null;
function toTimestamp(instant: Date | null): SQL | null {
  return instant && sql`${instant.toISOString()}::timestamptz`;
}

/**
 * Adds completed hours of all accounts to their days, a few weeks per statement, because a long
 * history would exceed the statement timeout. Stops after a few seconds; the next run continues.
 * @returns how many rows were added or updated
 *
 * Takes the table lock first: a transaction that moves or deletes the usage of an account then runs
 * before or after, and no orphaned days remain.
 */
export async function insertEndedDays(tx: Executor): Promise<number> {
  await tx.execute(sql`lock table usage_days in share row exclusive mode`);
  const began = performance.now();
  let rows = 0;
  for (let until = await nextUntil(tx); until !== null; until = await nextUntil(tx)) {
    const added = await tx.execute(insertDays(sql`hour >= ${DAYS_UNTIL} and hour < ${until}::timestamptz`));
    await tx.execute(sql`insert into retention_marks (what, kept_from) values ('usage_days', ${until}::timestamptz)
      on conflict (what) do update set kept_from = excluded.kept_from`);
    rows += added.count;
    if (performance.now() - began > LONGEST_MS) break;
  }
  return rows;
}

const untilRow = defineRow({ until: text().nullable() });

/** End of the next step, which starts with the first day that has calls; null if nothing is due. */
async function nextUntil(tx: Executor): Promise<string | null> {
  const over = sql`date_trunc('hour', now() - ${SETTLED}, 'UTC')`;
  const first = sql`(select date_trunc('day', min(hour), 'UTC') from usage_rollups where hour >= ${DAYS_UNTIL})`;
  const [row] = await untilRow.read(
    tx.execute(sql`
      select (case when ${DAYS_UNTIL} < ${over} then least(${over}, ${first} + ${STEP}) end)::text as until`),
  );
  return row?.until ?? null;
}

/** Inserts the days of keys with hours written into the past (seeded usage). */
export async function insertPastDays(tx: Executor, keyIds: readonly string[]): Promise<void> {
  await tx.execute(sql`lock table usage_days in share row exclusive mode`);
  await tx.execute(insertDays(sql`key_id = any(${sql.param([...keyIds])}::text[]) and hour < ${DAYS_UNTIL}`));
}

/** Inserted in reading order, so that a month of an account spans few pages. */
function insertDays(which: SQL): SQL {
  return sql`insert into usage_days as d (account_id, day, key_id, tool, calls, failed, refused, byok_calls, raw_cost_microusd,
      markup_microusd, latency_ms_sum)
    select account_id, date_trunc('day', hour, 'UTC'), key_id, tool, ${SUMS} from usage_rollups where ${which}
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (account_id, day, key_id, tool) do update set calls = d.calls + excluded.calls,
      failed = d.failed + excluded.failed, refused = d.refused + excluded.refused,
      byok_calls = d.byok_calls + excluded.byok_calls,
      raw_cost_microusd = d.raw_cost_microusd + excluded.raw_cost_microusd,
      markup_microusd = d.markup_microusd + excluded.markup_microusd,
      latency_ms_sum = d.latency_ms_sum + excluded.latency_ms_sum`;
}
