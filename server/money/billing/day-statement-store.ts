import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, defineRow, integer, type RowOf, text } from '@/db/rows';
import type { LedgerKind } from '@/db/schema/ledger';

/**
 * A place in a statement by days: microseconds since 1970 and the id of an entry. The calls of a
 * day are booked at its end, with this id, above all its other entries.
 */
export interface DayPosition {
  us: bigint;
  id: bigint;
}
export const CALLS_ID = -1n;

const entryColumns = {
  id: bigint(),
  us: bigint(),
  kind: text<LedgerKind>(),
  ref: text(),
  amount: bigint(),
  memo: text().nullable(),
};
const otherRow = defineRow(entryColumns);
export type OtherEntry = RowOf<typeof otherRow>;
const callRow = defineRow({ ...entryColumns, tool: text().nullable(), skill: text().nullable() });
export type CallEntry = RowOf<typeof callRow>;
/** `us` is the end of the day, `last_us` the time of its last call. */
const callDayRow = defineRow({ us: bigint(), last_us: bigint(), calls: integer(), amount: bigint() });
export type CallDay = RowOf<typeof callDayRow>;
const sumRow = defineRow({ sum: bigint() });

const toInstant = (us: bigint) => sql`(timestamptz 'epoch' + ${us}::bigint * interval '1 microsecond')`;
const MICROS = sql`(extract(epoch from e.created_at) * 1000000)::bigint`;
const from = (us: bigint | null) => (us === null ? sql`` : sql`and e.created_at >= ${toInstant(us)}`);

/** The sum of all entries from an instant on. */
export async function sumFrom(db: Executor, accountId: string, us: bigint): Promise<bigint> {
  const [row] = await sumRow.read(
    db.execute(sql`
      select (coalesce((select sum(e.amount_microusd) from ledger_entries e
          where e.account_id = ${accountId} and e.kind = 'call' and e.created_at >= ${toInstant(us)}), 0)
        + coalesce((select sum(e.amount_microusd) from ledger_entries e
          where e.account_id = ${accountId} and e.kind <> 'call' and e.created_at >= ${toInstant(us)}), 0))::bigint as sum`),
  );
  return row?.sum ?? 0n;
}

/** Entries that are no calls, newest first. */
export async function listOthers(
  db: Executor,
  accountId: string,
  { below, fromUs, kinds }: { below: DayPosition; fromUs: bigint | null; kinds: readonly LedgerKind[] },
  limit: number,
): Promise<OtherEntry[]> {
  return await otherRow.read(
    db.execute(sql`
      select e.id, ${MICROS} as us, e.kind, e.ref, e.amount_microusd as amount, e.memo from ledger_entries e
      where e.account_id = ${accountId} and e.kind <> 'call' and e.kind = any(${sql.param([...kinds])}::text[])
        and (e.created_at, e.id) < (${toInstant(below.us)}, ${below.id}::bigint) ${from(fromUs)}
      order by e.created_at desc, e.id desc limit ${limit}`),
  );
}

/**
 * Days (UTC) with calls, newest first, with their number and sum. Jumps from day to day in the
 * index of calls, so that only the listed days are summed.
 */
export async function listCallDays(
  db: Executor,
  accountId: string,
  { endUs, fromUs }: { endUs: bigint; fromUs: bigint | null },
  limit: number,
): Promise<CallDay[]> {
  const newest = (end: ReturnType<typeof sql>) => sql`
    select date_trunc('day', e.created_at, 'UTC') as day from ledger_entries e
    where e.account_id = ${accountId} and e.kind = 'call' and e.created_at < ${end} ${from(fromUs)}
    order by e.created_at desc limit 1`;
  return await callDayRow.read(
    db.execute(sql`
      with recursive days as (
        (${newest(toInstant(endUs))})
        union all
        select n.day from days d cross join lateral (${newest(sql`d.day`)}) n
      )
      select (extract(epoch from d.day + interval '24 hours') * 1000000)::bigint as us, s.calls, s.amount,
        (extract(epoch from s.last_at) * 1000000)::bigint as last_us
      from (select day from days limit ${limit}) d cross join lateral (
        select count(*)::int as calls, sum(e.amount_microusd)::bigint as amount, max(e.created_at) as last_at
        from ledger_entries e
        where e.account_id = ${accountId} and e.kind = 'call' and e.created_at >= d.day
          and e.created_at < d.day + interval '24 hours'
      ) s order by 1 desc`),
  );
}

/** Single calls below a position and from an instant on, newest first, with their tools. */
export async function listCalls(
  db: Executor,
  accountId: string,
  { below, fromUs }: { below: DayPosition; fromUs: bigint },
  limit: number,
): Promise<CallEntry[]> {
  return await callRow.read(
    db.execute(sql`
      with page as (
        select e.*, ${MICROS} as us from ledger_entries e
        where e.account_id = ${accountId} and e.kind = 'call' and e.created_at >= ${toInstant(fromUs)}
          and (e.created_at, e.id) < (${toInstant(below.us)}, ${below.id}::bigint)
          and e.created_at <= ${toInstant(below.us)}
        order by e.created_at desc, e.id desc limit ${limit}
      )
      select p.id, p.us, p.kind, p.ref, p.amount_microusd as amount, p.memo, u.tool, u.skill
      from page p left join lateral (
        select r.tool, r.skill from usage_records r where r.account_id = p.account_id and r.id = p.ref limit 1
      ) u on true
      order by p.created_at desc, p.id desc`),
  );
}

const gapRow = defineRow({ at: integer(), sum: bigint() });

/**
 * The sums of entries that a filter hides, for each gap between two shown rows.
 * @param hidden kinds; calls count on the days between the rows
 */
export async function sumGaps(
  db: Executor,
  accountId: string,
  gaps: readonly { high: DayPosition; low: DayPosition }[],
  hidden: readonly LedgerKind[],
): Promise<bigint[]> {
  const list = (values: readonly bigint[]) => sql`${sql.param(values.map(String))}::text[]::bigint[]`;
  const instant = (us: ReturnType<typeof sql>) =>
    sql`(timestamptz 'epoch' + ${us} * interval '1 microsecond')`;
  const day = (us: ReturnType<typeof sql>) => sql`date_trunc('day', ${instant(us)}, 'UTC')`;
  const calls = hidden.includes('call')
    ? sql`(select sum(e.amount_microusd) from ledger_entries e where e.account_id = ${accountId} and e.kind = 'call'
        and e.created_at >= ${day(sql`g.low_us`)} and e.created_at < ${day(sql`g.high_us`)})`
    : sql`null`;
  const rows = await gapRow.read(
    db.execute(sql`
      select g.at::int, (coalesce(${calls}, 0) + coalesce((
        select sum(e.amount_microusd) from ledger_entries e where e.account_id = ${accountId} and e.kind <> 'call'
          and e.kind = any(${sql.param([...hidden])}::text[])
          and (e.created_at, e.id) < (${instant(sql`g.high_us`)}, g.high_id)
          and (e.created_at, e.id) > (${instant(sql`g.low_us`)}, g.low_id)), 0))::bigint as sum
      from unnest(${list(gaps.map(({ high }) => high.us))}, ${list(gaps.map(({ high }) => high.id))},
          ${list(gaps.map(({ low }) => low.us))}, ${list(gaps.map(({ low }) => low.id))})
        with ordinality as g(high_us, high_id, low_us, low_id, at)
      order by g.at`),
  );
  return rows.map(({ sum }) => sum);
}
