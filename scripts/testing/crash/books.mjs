// What the database of a gateway under test says in the end. Amounts are micro-dollars.

/**
 * @typedef {{ id: string, skill: string, status: string, cost: number, job_id: string | null, error_code: string | null }} UsageRow
 * @typedef {{ id: string, call_id: string, skill: string, status: string, error: string | null, attempts: number }} JobRow
 * @typedef {{ ref: string, amount: number }} ChargeRow
 * @typedef {{ held: number, running: number, balance: number, accepted: number, open: number, unanswered: number }} Totals
 * @typedef {{ usage: UsageRow[], jobs: JobRow[], charges: ChargeRow[], totals: Totals }} Books
 */

/**
 * @param {import('./database.mjs').Sql} sql
 * @returns {Promise<Books>}
 */
export async function readBooks(sql) {
  const usage = await sql`
    select id, skill, status, (raw_cost_microusd + markup_microusd)::float8 as cost, job_id, error_code from usage_records`;
  const jobs = await sql`select id, call_id, skill, status, error, attempts from jobs`;
  const charges =
    await sql`select ref, (-amount_microusd)::float8 as amount from ledger_entries where kind = 'call'`;
  // Every accepted call was counted in the hour of its key, and the test is shorter than that.
  const [totals] = await sql`
    select (select sum(held_microusd)::float8 from accounts) as held, (select sum(balance_microusd)::float8 from accounts) as balance,
      (select sum(running)::int from api_keys) as running, (select sum(hour_used)::int from api_keys) as accepted,
      (select count(*)::int from calls) as open,
      (select count(*)::int from idempotency_keys where finished_at is null) as unanswered`;
  return /** @type {any} */ ({ usage, jobs, charges, totals });
}

/**
 * Whether nothing runs and nothing waits in the queue any more.
 * @param {import('./database.mjs').Sql} sql
 */
export async function isQuiet(sql) {
  const [row] = await sql`
    select (select count(*) from calls)::int + (select count(*) from jobs where finished_at is null)::int as busy`;
  return row?.busy === 0;
}

/** @template T @param {T[]} rows @param {(row: T) => string} nameOf @returns {string[]} names that come more than once */
export function repeated(rows, nameOf) {
  const seen = new Set();
  return rows.map(nameOf).filter((name) => seen.size === seen.add(name).size);
}
