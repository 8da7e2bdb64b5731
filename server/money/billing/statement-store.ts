import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, boolean, defineRow, type RowOf, text, timestamptz } from '@/db/rows';
import type { LedgerKind } from '@/db/schema/ledger';

/** Restricts a statement. Days are UTC. */
export interface StatementFilter {
  from?: string | undefined;
  to?: string | undefined;
  kinds?: readonly LedgerKind[] | undefined;
}

/** Where a page starts: below this entry, with the account's balance at that point. */
export interface StatementPosition {
  before: bigint;
  balance: bigint;
}

const statementRow = defineRow({
  id: bigint(),
  kind: text<LedgerKind>(),
  ref: text(),
  amount: bigint(),
  memo: text().nullable(),
  created_at: timestamptz(),
  tool: text().nullable(),
  skill: text().nullable(),
  balance: bigint(),
});
export type StatementRow = RowOf<typeof statementRow>;

/** An account's amounts, in one snapshot. */
const accountMoneyRow = defineRow({ net: bigint(), held: bigint(), debt: bigint(), disputed: boolean() });
export type AccountMoney = RowOf<typeof accountMoneyRow>;

export async function findMoney(db: Executor, accountId: string): Promise<AccountMoney> {
  const [row] = await accountMoneyRow.read(
    db.execute(sql`
      select balance_microusd - debt_microusd as net, held_microusd as held, debt_microusd as debt,
        disputed_at is not null as disputed
      from accounts where id = ${accountId}`),
  );
  if (!row) throw new Error('The chosen account no longer exists');
  return row;
}

/**
 * Entries of an account, newest first, each with the balance after it. The first page starts from
 * the account's balance in the same snapshot. Entry ids follow time, as they are assigned under the
 * account's lock.
 */
export async function listEntries(
  db: Executor,
  accountId: string,
  { from, to, kinds }: StatementFilter,
  position: StatementPosition | null,
  limit: number,
): Promise<StatementRow[]> {
  const top = position
    ? sql`${position.balance}::bigint`
    : sql`(select balance_microusd - debt_microusd from accounts where id = ${accountId})`;
  const below = position ? sql`and e.id < ${position.before}::bigint` : sql``;
  return await statementRow.read(
    db.execute(sql`
      with page as (
        select e.* from ledger_entries e where e.account_id = ${accountId} ${below}
          ${from ? sql`and e.created_at >= ${from}::date::timestamp at time zone 'UTC'` : sql``}
          ${to ? sql`and e.created_at < (${to}::date + 1)::timestamp at time zone 'UTC'` : sql``}
          ${kinds ? sql`and e.kind = any(${sql.param([...kinds])}::text[])` : sql``}
        order by e.id desc limit ${limit}
      ), walk as (
        select e.id, ${top} - coalesce(sum(e.amount_microusd) over (
            order by e.id desc rows between unbounded preceding and 1 preceding), 0) as balance
        from ledger_entries e
        where e.account_id = ${accountId} ${below} and e.id >= (select min(id) from page)
      )
      select p.id, p.kind, p.ref, p.amount_microusd as amount, p.memo, p.created_at, w.balance::bigint as balance,
        u.tool, u.skill
      from page p join walk w on w.id = p.id
        left join lateral (
          select r.tool, r.skill from usage_records r
          where p.kind = 'call' and r.account_id = p.account_id and r.id = p.ref limit 1
        ) u on true
      order by p.id desc`),
  );
}
