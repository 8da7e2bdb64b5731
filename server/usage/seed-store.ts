import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, defineRow, integer } from '@/db/rows';

/** A skill in seeded usage. Weights are relative. */
export interface SeedSkill {
  tool: string;
  skill: string;
  weight: number;
  /** Average cost of a call, and the share of the provider. */
  costMicrousd: number;
  providerShare: number;
  /** Average latency. */
  latencyMs: number;
  failureRate: number;
}

/** Creates missing monthly partitions for records of the last days. */
export async function makeMonths(db: Executor, days: number): Promise<void> {
  await db.execute(sql`
    select create_usage_month(m::date)
    from generate_series(date_trunc('month', now() - make_interval(days => ${days}), 'UTC'), now(), interval '1 month') m`);
}

/**
 * Inserts seeded calls: more by day than by night, more on working days, more recent ones, some
 * skills far more than others, and some failures, which are free. Written in the order of their
 * start.
 */
export async function insertSeedRecords(
  tx: Executor,
  seed: {
    accountId: string;
    keyIds: readonly string[];
    rows: number;
    days: number;
    skills: readonly SeedSkill[];
  },
): Promise<void> {
  const { accountId, keyIds, rows, days, skills } = seed;
  await tx.execute(sql`
    create temp table seed_skills on commit drop as
    select *, sum(weight) over (order by n) - weight as above, sum(weight) over (order by n) as below
    from jsonb_to_recordset(${JSON.stringify(skills.map((skill, n) => ({ n, ...skill })))}::jsonb) as s(
      n int, tool text, skill text, weight float8, "costMicrousd" float8, "providerShare" float8, "latencyMs" float8,
      "failureRate" float8)`);
  await tx.execute(sql`create temp table seed_calls on commit drop as
    with hours as (
      select at, sum(w) over (order by at) - w as above, sum(w) over (order by at) as below, sum(w) over () as whole
      from (
        select at, (1.3 + sin((extract(hour from at at time zone 'UTC')::float8 - 8) / 24 * 2 * pi()))
          * case when extract(isodow from at at time zone 'UTC') > 5 then 0.45 else 1 end
          * (0.6 + 0.4 * row_number() over (order by at) / count(*) over ()) as w
        from generate_series(date_trunc('hour', now()) - make_interval(days => ${days}),
          date_trunc('hour', now()) - interval '1 hour', interval '1 hour') at
      ) h
    ), shares as (
      select at, above, below,
        round(below / whole * ${rows}::int)::int - round(above / whole * ${rows}::int)::int as calls from hours
    )
    select at + random() * interval '59 minutes' as created_at,
      random() * (select max(below) from seed_skills) as pick, random() as key_pick, random() as failure, random() as byok,
      -- Between 0.66 and 2 times the average; latencies occasionally far more.
      0.66 + random() + 0.34 * random() as cost_factor, exp(random() + random() + random() - 1.9) as time_factor
    from shares cross join lateral generate_series(1, calls)`);
  await tx.execute(sql`
    insert into usage_records (account_id, id, key_id, billing, tool, skill, status, raw_cost_microusd, markup_microusd,
      byok, latency_ms, error_code, error_message, job_id, created_at, finished_at)
    select ${accountId}, ${callIdSql}, key_id, 'personal', tool, skill, case when failed then 'error' else 'success' end,
      case when failed or own then 0 else floor(cost * "providerShare") end::bigint,
      case when failed then 0 else ceil(cost * (1 - "providerShare")) end::bigint,
      own, latency, case when not failed then null when failure < 0.0012 then 'INTERNAL' else 'HANDLER_ERROR' end,
      case when failed then 'The tool failed.' end, null, created_at, created_at + latency * interval '1 millisecond'
    from (
      select c.created_at, s.tool, s.skill, c.failure, c.failure < s."failureRate" as failed, s."providerShare",
        s."providerShare" > 0 and c.byok < 0.08 as own, s."costMicrousd" * c.cost_factor as cost,
        least(60000, greatest(1, s."latencyMs" * c.time_factor))::int as latency,
        -- The first key gets most of the calls.
        (${sql.param([...keyIds])}::text[])[1 + floor(power(c.key_pick, 2) * ${keyIds.length}::int)::int] as key_id
      from seed_calls c join seed_skills s on c.pick >= s.above and c.pick < s.below
    ) calls
    order by created_at`);
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** A call id as newId creates it, from the milliseconds of created_at and 64 random bits. */
const callIdSql = sql.raw(
  `'call_' || ${Array.from(
    { length: 10 },
    (_, digit) =>
      `substr('${ALPHABET}', (((extract(epoch from created_at) * 1000)::bigint >> ${(9 - digit) * 5}) & 31)::int + 1, 1)`,
  ).join(' || ')} || substr(md5(random()::text || random()::text), 1, 16)`,
);

/** Sums the records of new keys into rollups and credit limits of keys. */
export async function rollUpSeed(tx: Executor, accountId: string, keyIds: readonly string[]): Promise<void> {
  const keys = sql`${sql.param([...keyIds])}::text[]`;
  await tx.execute(sql`
    insert into usage_rollups (account_id, hour, key_id, tool, calls, failed, byok_calls, raw_cost_microusd, markup_microusd,
      latency_ms_sum)
    select account_id, date_trunc('hour', finished_at, 'UTC'), key_id, tool, count(*),
      count(*) filter (where status = 'error'), count(*) filter (where byok), sum(raw_cost_microusd), sum(markup_microusd),
      sum(latency_ms)
    from usage_records where account_id = ${accountId} and key_id = any(${keys}) group by 1, 2, 3, 4`);
  await tx.execute(sql`
    update api_keys k set credits_used_microusd = r.cost, last_used_at = r.last_hour
    from (select key_id, sum(raw_cost_microusd + markup_microusd) as cost, max(hour) as last_hour from usage_rollups
      where account_id = ${accountId} and key_id = any(${keys}) group by key_id) r
    where k.id = r.key_id`);
}

const seedRow = defineRow({ cost: bigint(), rollups: integer() });

/** The total charge, which is the credit needed. */
export async function sumSeed(tx: Executor, accountId: string, keyIds: readonly string[]) {
  const [row] = await seedRow.read(
    tx.execute(sql`
      select coalesce(sum(raw_cost_microusd + markup_microusd), 0)::bigint as cost, count(*)::int as rollups
      from usage_rollups where account_id = ${accountId} and key_id = any(${sql.param([...keyIds])}::text[])`),
  );
  return row ?? { cost: 0n, rollups: 0 };
}

/** Refreshes planner statistics after the bulk insert. */
export async function analyzeUsage(db: Executor): Promise<void> {
  await db.execute(sql`analyze usage_records, usage_rollups, usage_days, ledger_entries`);
}
