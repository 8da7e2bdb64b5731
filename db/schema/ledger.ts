import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant, microusd } from '../columns';

export type LedgerKind = 'call' | 'grant' | 'claim_out' | 'claim_in' | 'purchase' | 'refund' | 'dispute';

/**
 * All movements of money, append-only (a trigger rejects changes). Each entry is double-entry in
 * itself: the amount enters `account_id` and leaves `counter_account`, so the books always sum to
 * zero.
 */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    kind: text().$type<LedgerKind>().notNull(),
    /**
     * The cause: a call, grant, claimed account, or step of a payment (`pi_…:2`). Unique per kind.
     */
    ref: text().notNull(),
    accountId: text().notNull(),
    counterAccount: text().$type<'revenue' | 'grants' | 'transfers' | 'payments'>().notNull(),
    /** Signed: positive is money into the account. */
    amountMicrousd: microusd().notNull(),
    memo: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('ledger_entries_kind_ref_unique').on(table.kind, table.ref),
    index('ledger_entries_account').on(table.accountId, table.id),
    // Sums the calls of a day without reading the table (docs/decisions/0068).
    index('ledger_entries_calls')
      .on(table.accountId, table.createdAt, table.amountMicrousd)
      .where(sql`kind = 'call'`),
    index('ledger_entries_others').on(table.accountId, table.createdAt, table.id).where(sql`kind <> 'call'`),
    check('ledger_entries_amount_not_zero', sql`amount_microusd <> 0`),
    check(
      'ledger_entries_kind_known',
      sql`kind in ('call', 'grant', 'claim_out', 'claim_in', 'purchase', 'refund', 'dispute')`,
    ),
  ],
);
