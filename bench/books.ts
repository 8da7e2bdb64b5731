import postgres from 'postgres';
import { defineRow, text } from '@/db/rows';

const differenceRow = defineRow({ what: text(), subject: text(), is: text(), should: text() });

/**
 * Checks that ledger, usage, roll-ups, balances, keys and responses agree to the micro-dollar.
 * @param answered the number of calls answered with 2xx
 * @returns all differences; empty if there are none
 */
export async function checkBooks(url: string, answered: number): Promise<string[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    const wrong = await differenceRow.read(sql`
      with entries as (
        select account_id, sum(amount_microusd) as sum, -coalesce(sum(amount_microusd) filter (where kind = 'call'), 0) as spent
        from ledger_entries group by account_id
      ), used as (
        select account_id, count(*) as n, sum(raw_cost_microusd + markup_microusd) as cost from usage_records group by account_id
      ), rolled as (
        select account_id, sum(calls) as n, sum(raw_cost_microusd + markup_microusd) as cost from usage_rollups group by account_id
      ), by_key as (
        select key_id, sum(raw_cost_microusd + markup_microusd) as cost from usage_records group by key_id
      ), facts(what, subject, "is", should) as (
        select 'balance against ledger', a.id, a.balance_microusd, coalesce(e.sum, 0)
          from accounts a left join entries e on e.account_id = a.id
        union all select 'held with nothing running', id, held_microusd, 0 from accounts
        union all select 'month spent against ledger', a.id, a.month_spent_microusd, coalesce(e.spent, 0)
          from accounts a left join entries e on e.account_id = a.id
        union all select 'usage against ledger', a.id, coalesce(u.cost, 0), coalesce(e.spent, 0)
          from accounts a left join entries e on e.account_id = a.id left join used u on u.account_id = a.id
        union all select 'roll-up cost against usage', a.id, coalesce(r.cost, 0), coalesce(u.cost, 0)
          from accounts a left join used u on u.account_id = a.id left join rolled r on r.account_id = a.id
        union all select 'roll-up calls against usage', a.id, coalesce(r.n, 0), coalesce(u.n, 0)
          from accounts a left join used u on u.account_id = a.id left join rolled r on r.account_id = a.id
        union all select 'key used against usage', k.id, k.credits_used_microusd, coalesce(b.cost, 0)
          from api_keys k left join by_key b on b.key_id = k.id
        union all select 'key held or running', id, credits_held_microusd + running, 0 from api_keys
        union all select 'calls left open', 'all', count(*), 0 from calls
        union all select 'usage against answers', 'all', count(*), ${answered}::int from usage_records
      )
      select what, subject, "is"::text, should::text from facts where "is" <> should limit 20`);
    return wrong.map((row) => `${row.what}, ${row.subject}: is ${row.is}, should be ${row.should}`);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
