import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';

const DAY_MS = 86_400_000;
/** The first instant that is not in `usage_days`. */
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
 * The roll-ups of a span as a relation with the columns of `usage_rollups`, from whole days where they are there: the same
 * sums from far fewer rows. For whoever groups by days (UTC) or coarser.
 * @param whose the condition on the columns that hours and days have both, such as `account_id = …`
 */
export async function usageBetween(
  db: Executor,
  whose: SQL,
  from: Date | null,
  to: Date | null,
): Promise<SQL> {
  const firstDay = from && new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const lastDay = to && new Date(Math.floor(to.getTime() / DAY_MS) * DAY_MS);
  if (firstDay && lastDay && firstDay >= lastDay) return sql`(${hours(whose, at(from), at(to))})`;
  // Asked before, not in the statement: with an instant that it knows the planner reads few rows, otherwise all. One that
  // has moved on meanwhile does no harm: the days before it and the hours after it are still there.
  const mark = await readDaysUntil(db);
  if (mark === null || (firstDay && mark <= firstDay)) return sql`(${hours(whose, at(from), at(to))})`;
  const end = lastDay && lastDay < mark ? lastDay : mark;
  const until = at(end);
  const parts = [
    sql`select day as hour, ${COUNTS} from usage_days
      where ${whose} ${firstDay ? sql`and day >= ${at(firstDay)}` : sql``} and day < ${until}`,
    hours(whose, until, at(to)),
  ];
  if (from && firstDay && from < firstDay) parts.push(hours(whose, at(from), at(firstDay)));
  return sql`(${sql.join(parts, sql` union all `)})`;
}

/** Null where no day has been summed up yet. */
async function readDaysUntil(db: Executor): Promise<Date | null> {
  const [row] = await db.execute<{ ms: number | null }>(
    sql`select (extract(epoch from kept_from) * 1000)::float8 as ms from retention_marks where what = 'usage_days'`,
  );
  return row?.ms == null ? null : new Date(row.ms);
}

function hours(whose: SQL, from: SQL | null, to: SQL | null): SQL {
  return sql`select hour, ${COUNTS} from usage_rollups
    where ${whose} ${from ? sql`and hour >= ${from}` : sql``} ${to ? sql`and hour < ${to}` : sql``}`;
}

function at(instant: Date): SQL;
function at(instant: Date | null): SQL | null;
function at(instant: Date | null): SQL | null {
  return instant && sql`${instant.toISOString()}::timestamptz`;
}

/**
 * Adds days that are over and not there yet, of all accounts, some weeks a statement: all of a long history in one would take
 * longer than a statement may. What is left after a few seconds is for the next time. @returns how many rows were added
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
  const over = sql`date_trunc('day', now() - ${SETTLED}, 'UTC')`;
  const first = sql`(select date_trunc('day', min(hour), 'UTC') from usage_rollups where hour >= ${DAYS_UNTIL})`;
  const [row] = await tx.execute<{ until: string | null }>(sql`
    select (case when ${DAYS_UNTIL} < ${over} then least(${over}, ${first} + ${STEP}) end)::text as until`);
  return row?.until ?? null;
}

/** Days of keys whose hours were written into days that are over (made-up usage). */
export async function insertPastDays(tx: Executor, keyIds: readonly string[]): Promise<void> {
  await tx.execute(sql`lock table usage_days in share row exclusive mode`);
  await tx.execute(daysOf(sql`key_id = any(${sql.param([...keyIds])}::text[]) and hour < ${DAYS_UNTIL}`));
}

function daysOf(which: SQL): SQL {
  return sql`insert into usage_days (account_id, day, key_id, tool, calls, failed, byok_calls, raw_cost_microusd,
      markup_microusd, latency_ms_sum)
    select account_id, date_trunc('day', hour, 'UTC'), key_id, tool, ${SUMS} from usage_rollups where ${which}
    group by 1, 2, 3, 4`;
}
