import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, integer, type RowOf, text } from '@/db/rows';

/** A row that violates a check. */
const differenceRow = defineRow({ subject: text(), expected: text(), actual: text() });
export type DifferenceRow = RowOf<typeof differenceRow>;

/**
 * Longer than any call takes from its start, which dates its record, to its end, which dates its
 * entry and roll-up.
 */
const LONGEST_CALL_HOURS = 7 * 24;
/**
 * Since when every ended call has its record, as a full hour: retention drops older months
 * (server/operations/retention).
 */
const recordsFrom = sql`coalesce((select kept_from + make_interval(hours => ${sql.raw(String(LONGEST_CALL_HOURS))})
  from retention_marks where what = 'usage_records'), '-infinity')`;

/**
 * Invariants that hold between any two commits, each as a query for the rows that violate it.
 * Amounts are micro-dollars as text, for reading and comparing.
 */
export const RECONCILE_CHECKS = {
  /**
   * Σ entries = balance - debt, also for accounts without entries and entries without an account.
   */
  'balance equals ledger': sql`
    select coalesce(a.id, e.account_id) as subject, coalesce(e.total, 0)::text as expected,
      coalesce((a.balance_microusd - a.debt_microusd)::text, 'no account') as actual
    from accounts a full join
      (select account_id, sum(amount_microusd) as total from ledger_entries group by account_id) e on e.account_id = a.id
    where a.balance_microusd - a.debt_microusd is distinct from coalesce(e.total, 0)`,

  'account hold equals its open calls': sql`
    select coalesce(a.id, c.account_id) as subject, coalesce(c.total, 0)::text as expected,
      coalesce(a.held_microusd::text, 'no account') as actual
    from accounts a full join
      (select account_id, sum(hold_microusd) as total from calls group by account_id) c on c.account_id = a.id
    where a.held_microusd is distinct from coalesce(c.total, 0)`,

  'key hold equals its open calls': sql`
    select coalesce(k.id, c.key_id) as subject, coalesce(c.total, 0)::text as expected,
      coalesce(k.credits_held_microusd::text, 'no key') as actual
    from api_keys k full join
      (select key_id, sum(hold_microusd) as total from calls group by key_id) c on c.key_id = k.id
    where k.credits_held_microusd is distinct from coalesce(c.total, 0)`,

  'key slots equal its open calls': sql`
    select coalesce(k.id, c.key_id) as subject, coalesce(c.n, 0)::text as expected,
      coalesce(k.running::text, 'no key') as actual
    from api_keys k full join (select key_id, count(*)::int as n from calls group by key_id) c on c.key_id = k.id
    where k.running is distinct from coalesce(c.n, 0)`,

  /** A missing entry, a missing record, or different amounts. Records of old months may be gone. */
  'call entry equals usage record': sql`
    select coalesce(u.id, e.ref) as subject, coalesce(u.cost::text, 'no usage record') as expected,
      coalesce((-e.amount_microusd)::text, 'no ledger entry') as actual
    from (select id, raw_cost_microusd + markup_microusd as cost from usage_records) u
      full join (select ref, amount_microusd, created_at from ledger_entries where kind = 'call') e on e.ref = u.id
    where case when u.id is null then e.created_at >= ${recordsFrom} else u.cost <> coalesce(-e.amount_microusd, 0) end`,

  /**
   * Holds even after records are dropped. The spending of a claimed account is in the roll-ups of
   * its claimer.
   */
  'call entries equal roll-ups': sql`
    select account_id as subject, coalesce(r.cost, 0)::text as expected, coalesce(e.cost, 0)::text as actual
    from (
      select coalesce(a.claimed_by_account_id, e.account_id) as account_id, -sum(e.amount_microusd) as cost
      from ledger_entries e left join accounts a on a.id = e.account_id where e.kind = 'call' group by 1
    ) e full join (
      select account_id, sum(raw_cost_microusd + markup_microusd) as cost from usage_rollups group by 1
    ) r using (account_id)
    where coalesce(e.cost, 0) <> coalesce(r.cost, 0)`,

  /**
   * Entries stay where they were written; a claim moves the record, and the claimed account names
   * the claimer.
   */
  'call entry is on the account of its usage record': sql`
    select u.id as subject, coalesce(a.claimed_by_account_id, e.account_id) as expected, u.account_id as actual
    from ledger_entries e join usage_records u on u.id = e.ref left join accounts a on a.id = e.account_id
    where e.kind = 'call' and u.account_id <> coalesce(a.claimed_by_account_id, e.account_id)`,

  'call has one usage record': sql`
    select id as subject, '1' as expected, count(*)::text as actual
    from usage_records group by id having count(*) > 1`,

  'call is open or closed, not both': sql`
    select c.id as subject, 'open' as expected, u.status as actual
    from calls c join usage_records u on u.key_id = c.key_id and u.id = c.id`,

  'roll-up equals usage records': sql`
    select concat_ws(' ', account_id, key_id, tool, to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24"Z"')) as subject,
      coalesce(u.sums, 'none') as expected, coalesce(r.sums, 'none') as actual
    from (
      select account_id, key_id, tool, date_trunc('hour', finished_at, 'UTC') as hour,
        concat_ws(' ', 'calls', count(*), 'failed', count(*) filter (where status = 'error'),
          'byok', count(*) filter (where byok), 'raw', sum(raw_cost_microusd), 'markup', sum(markup_microusd),
          'ms', sum(latency_ms)) as sums
      from usage_records where finished_at >= ${recordsFrom} group by 1, 2, 3, 4
    ) u full join (
      select account_id, key_id, tool, hour,
        concat_ws(' ', 'calls', calls, 'failed', failed, 'byok', byok_calls, 'raw', raw_cost_microusd,
          'markup', markup_microusd, 'ms', latency_ms_sum) as sums
      from usage_rollups where hour >= ${recordsFrom}
    ) r using (account_id, key_id, tool, hour)
    where u.sums is distinct from r.sums`,

  /** Every day before the mark, and none after it. */
  'day equals its hours': sql`
    select concat_ws(' ', account_id, key_id, tool, to_char(day at time zone 'UTC', 'YYYY-MM-DD')) as subject,
      coalesce(h.sums, 'none') as expected, coalesce(d.sums, 'none') as actual
    from (
      select account_id, key_id, tool, date_trunc('day', hour, 'UTC') as day,
        concat_ws(' ', sum(calls), sum(failed), sum(byok_calls), sum(raw_cost_microusd), sum(markup_microusd),
          sum(latency_ms_sum)) as sums
      from usage_rollups where hour < (select kept_from from retention_marks where what = 'usage_days') group by 1, 2, 3, 4
    ) h full join (
      select account_id, key_id, tool, day,
        concat_ws(' ', calls, failed, byok_calls, raw_cost_microusd, markup_microusd, latency_ms_sum) as sums
      from usage_days
    ) d using (account_id, key_id, tool, day)
    where h.sums is distinct from d.sums`,

  'key spending equals its roll-ups': sql`
    select coalesce(k.id, r.key_id) as subject, coalesce(r.total, 0)::text as expected,
      coalesce(k.credits_used_microusd::text, 'no key') as actual
    from api_keys k full join
      (select key_id, sum(raw_cost_microusd + markup_microusd) as total from usage_rollups group by key_id) r
      on r.key_id = k.id
    where k.credits_used_microusd is distinct from coalesce(r.total, 0)`,

  /**
   * Otherwise nothing would ever end it. A job that waits for a concurrency slot has no call yet,
   * but the lease of its process.
   */
  'unfinished job has a call or waits for one': sql`
    select j.id as subject, 'an open call or a lease' as expected, 'neither' as actual
    from jobs j where j.finished_at is null and j.lease_expires_at is null
      and not exists (select 1 from calls c where c.id = j.call_id)`,

  'finished job has no open call': sql`
    select j.id as subject, 'no open call' as expected, c.id as actual
    from jobs j join calls c on c.id = j.call_id where j.finished_at is not null`,

  /** Completed and charged, or failed, cancelled and free. A failed job may have no call at all. */
  'job ended as its call did': sql`
    select j.id as subject, case when j.status = 'completed' then 'success' else 'error or none' end as expected,
      coalesce(u.status, 'no usage record') as actual
    from jobs j left join usage_records u on u.key_id = j.key_id and u.id = j.call_id
    where j.finished_at is not null and case when u.id is null
      then j.status = 'completed' and j.created_at >= ${recordsFrom} else (j.status = 'completed') <> (u.status = 'success') end`,

  'transfer nets to zero': sql`
    select ref as subject, '0' as expected, sum(amount_microusd)::text as actual
    from ledger_entries where counter_account = 'transfers' group by ref having sum(amount_microusd) <> 0`,

  'entry has the sign of its kind': sql`
    select concat_ws(' ', kind, ref) as subject, case when kind in ('call', 'claim_out') then 'below 0' else 'above 0' end
      as expected, amount_microusd::text as actual
    from ledger_entries
    where (amount_microusd < 0) <> (kind in ('call', 'claim_out')) and kind not in ('refund', 'dispute')`,

  /**
   * The entries of a payment, found by the prefix of their ref, against its credited and taken-back
   * amounts.
   */
  'payment equals its entries': sql`
    select coalesce(p.id, e.payment) as subject,
      coalesce((p.credited_microusd - p.refunded_microusd - p.disputed_microusd)::text, 'no payment') as expected,
      coalesce(e.total, 0)::text as actual
    from payments p full join (
      select split_part(ref, ':', 1) as payment, sum(amount_microusd) as total from ledger_entries
      where kind in ('purchase', 'refund', 'dispute') group by 1
    ) e on e.payment = p.id
    where p.credited_microusd - p.refunded_microusd - p.disputed_microusd is distinct from coalesce(e.total, 0)`,

  'payment entry is on the account of its payment': sql`
    select e.ref as subject, p.account_id as expected, e.account_id as actual
    from ledger_entries e join payments p on p.id = split_part(e.ref, ':', 1)
    where e.kind in ('purchase', 'refund', 'dispute') and e.account_id <> p.account_id
      -- A claim moves the payments of an account, but not its entries.
      and not exists (select 1 from accounts a where a.id = e.account_id and a.claimed_by_account_id = p.account_id)`,

  'payment is what was ordered': sql`
    select coalesce(p.id, o.id) as subject,
      concat_ws(' ', o.account_id, o.mode, o.total_cents, o.credits_microusd, o.payment_id) as expected,
      concat_ws(' ', p.account_id, p.mode, p.total_cents, p.credits_microusd, p.id) as actual
    from payments p full join (select * from orders where status = 'paid') o on o.id = p.order_id
    where (o.account_id, o.mode, o.total_cents, o.credits_microusd, o.payment_id)
      is distinct from (p.account_id, p.mode, p.total_cents, p.credits_microusd, p.id)`,

  'account waits for its disputes only': sql`
    select a.id as subject, coalesce(d.open, false)::text as expected, (a.disputed_at is not null)::text as actual
    from accounts a left join (
      select account_id, bool_or(dispute_open) as open from payments group by 1
    ) d on d.account_id = a.id
    where coalesce(d.open, false) <> (a.disputed_at is not null)`,

  'account is not negative': sql`
    select id as subject, '0 <= held <= balance, 0 <= debt, month spent' as expected,
      concat_ws(' ', 'held', held_microusd, 'balance', balance_microusd, 'debt', debt_microusd,
        'month spent', month_spent_microusd) as actual
    from accounts where held_microusd < 0 or balance_microusd < held_microusd or debt_microusd < 0
      or month_spent_microusd < 0 or (debt_microusd > 0 and balance_microusd > held_microusd)`,

  'key is not negative and within its credits': sql`
    select id as subject, '0 <= used + held <= credits, 0 <= running' as expected,
      concat_ws(' ', 'used', credits_used_microusd, 'held', credits_held_microusd, 'credits', credits_microusd,
        'running', running) as actual
    from api_keys where credits_used_microusd < 0 or credits_held_microusd < 0 or running < 0
      or credits_used_microusd + credits_held_microusd > credits_microusd`,

  'claimed account is empty': sql`
    select a.id as subject, 'nothing left' as expected,
      concat_ws(' ', 'balance', a.balance_microusd, 'keys', k.n, 'usage records', u.n, 'jobs', j.n) as actual
    from accounts a
      cross join lateral (select count(*) as n from api_keys where account_id = a.id) k
      cross join lateral (select count(*) as n from usage_records where account_id = a.id) u
      cross join lateral (select count(*) as n from jobs where account_id = a.id) j
    where a.claimed_at is not null and (a.balance_microusd <> 0 or k.n > 0 or u.n > 0 or j.n > 0)`,
} satisfies Record<string, SQL>;

export type ReconcileCheck = keyof typeof RECONCILE_CHECKS;

/**
 * The rows that violate one check.
 * @param limit maximum number of rows
 */
export async function findDifferences(
  tx: Executor,
  check: ReconcileCheck,
  limit: number,
): Promise<DifferenceRow[]> {
  return await differenceRow.read(tx.execute(sql`${RECONCILE_CHECKS[check]} order by 1 limit ${limit}`));
}

const reconciledRow = defineRow({
  accounts: integer(),
  keys: integer(),
  entries: integer(),
  records: integer(),
  open_calls: integer(),
  payments: integer(),
});

/** Counts what was checked, to qualify "no differences". */
export async function countReconciled(tx: Executor) {
  const [row] = await reconciledRow.read(
    tx.execute(sql`
      select (select count(*)::int from accounts) as accounts, (select count(*)::int from api_keys) as keys,
        (select count(*)::int from ledger_entries) as entries, (select count(*)::int from usage_records) as records,
        (select count(*)::int from calls) as open_calls,
        (select count(*)::int from payments) as payments`),
  );
  return row ?? { accounts: 0, keys: 0, entries: 0, records: 0, open_calls: 0, payments: 0 };
}

/** Call before the snapshot: no month of usage may be dropped during the checks. */
export async function lockUsageMonths(tx: Executor): Promise<void> {
  await tx.execute(sql`lock table usage_records in access share mode`);
}
