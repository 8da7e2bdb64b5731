import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, boolean, defineRow, type RowOf, text } from '@/db/rows';
import { ledgerEntries } from '@/db/schema/ledger';
import type { AccountType } from '../../core/trpc/actor';
import type { ChosenAccount } from './choose-account';

const chosenColumns = {
  id: text(),
  type: text<AccountType>(),
  slug: text().nullable(),
  name: text(),
  role: text<'owner' | 'admin' | 'member'>(),
  frozen: boolean(),
  disputed: boolean(),
};
const chosenRow = defineRow(chosenColumns);
const chargeableRow = defineRow({
  ...chosenColumns,
  available: bigint(),
  debt: bigint(),
  claim_nonce: text().nullable(),
});
export type ChargeableAccount = RowOf<typeof chargeableRow>;

/** Only its keys act for a team; they may spend from it but not manage it. */
const ownRole = sql`case when a.type = 'team' then 'member' else 'owner' end`;

/** An account and the teams that its owner may charge, the account itself first. */
export async function listChargeableAccounts(db: Executor, accountId: string): Promise<ChargeableAccount[]> {
  return await chargeableRow.read(
    db.execute(sql`
      select a.id, a.type, a.slug, a.name, ${ownRole} as role, a.balance_microusd - a.held_microusd as available,
        a.debt_microusd as debt, a.frozen_at is not null or a.closed_at is not null as frozen, a.disputed_at is not null as disputed, a.claim_nonce
      from accounts a where a.id = ${accountId}
      union all
      select t.id, t.type, t.slug, t.name, m.role, t.balance_microusd - t.held_microusd, t.debt_microusd,
        t.frozen_at is not null or t.closed_at is not null, t.disputed_at is not null, null
      from accounts a join memberships m on m.user_id = a.owner_user_id join accounts t on t.id = m.account_id
      where a.id = ${accountId} and a.type = 'personal' and t.type = 'team' and t.closed_at is null`),
  );
}

/**
 * The accounts that `billing` can mean for an account: itself, or teams of its owner. `team` means
 * the default team if the owner is in several; at most two rows, so that the caller detects
 * ambiguity.
 */
export async function findAccountFor(
  db: Executor,
  accountId: string,
  billing: string,
): Promise<ChosenAccount[]> {
  if (billing === 'personal')
    return await chosenRow.read(
      db.execute(sql`
        select a.id, a.type, a.slug, a.name, ${ownRole} as role, a.frozen_at is not null as frozen,
          a.disputed_at is not null as disputed
        from accounts a where a.id = ${accountId} and a.closed_at is null`),
    );
  return await chosenRow.read(
    db.execute(sql`
      select t.id, t.type, t.slug, t.name, m.role, t.frozen_at is not null as frozen,
        t.disputed_at is not null as disputed
      from accounts a join users u on u.id = a.owner_user_id join memberships m on m.user_id = u.id
        join accounts t on t.id = m.account_id
      where a.id = ${accountId} and a.type = 'personal' and t.type = 'team' and t.closed_at is null
        and case when ${billing} <> 'team' then t.slug = ${billing} else t.id = u.default_team_id or not exists (
          select 1 from memberships d join accounts o on o.id = d.account_id
          where d.user_id = u.id and d.account_id = u.default_team_id and o.closed_at is null
        ) end
      order by t.created_at limit 2`),
  );
}

const viewableRow = defineRow({ id: text(), name: text(), slug: text().nullable(), available: bigint() });

/** Finds an account that is the given one or a team of its owner. */
export async function findViewable(
  db: Executor,
  fromId: string,
  accountId: string,
): Promise<{ id: string; name: string; slug: string | null; available: bigint } | null> {
  const [row] = await viewableRow.read(
    db.execute(sql`
      select t.id, t.name, t.slug, t.balance_microusd - t.held_microusd as available
      from accounts t where t.id = ${accountId} and (t.id = ${fromId} or exists (
        select 1 from accounts a join memberships m on m.user_id = a.owner_user_id
        where a.id = ${fromId} and a.type = 'personal' and m.account_id = t.id and t.closed_at is null))`),
  );
  return row ?? null;
}

type LedgerEntry = typeof ledgerEntries.$inferSelect;

/** Finds the entry with this kind and cause. */
export async function findEntry(
  db: Executor,
  kind: LedgerEntry['kind'],
  ref: string,
): Promise<LedgerEntry | null> {
  const [row] = await db
    .select()
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.kind, kind), eq(ledgerEntries.ref, ref)));
  return row ?? null;
}

const balanceRow = defineRow({ balance: bigint() });

/**
 * The account's balance minus debt right after an entry. Entries are written under the account's
 * lock, in id order.
 */
export async function findBalanceAfter(
  db: Executor,
  kind: LedgerEntry['kind'],
  ref: string,
): Promise<bigint | null> {
  const [row] = await balanceRow.read(
    db.execute(sql`
      select (a.balance_microusd - a.debt_microusd - coalesce((
        select sum(n.amount_microusd) from ledger_entries n where n.account_id = e.account_id and n.id > e.id
      ), 0))::bigint as balance
      from ledger_entries e join accounts a on a.id = e.account_id where e.kind = ${kind} and e.ref = ${ref}`),
  );
  return row?.balance ?? null;
}
