import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns';

/** Built-in tools that the operator has switched off for everyone. A row lives until the tool is switched on again. */
export const toolSwitches = pgTable('tool_switches', {
  tool: text().primaryKey(),
  /** For the operators, never for a caller. */
  reason: text().notNull(),
  /** As the audit log names them. */
  createdBy: text().notNull(),
  createdAt: instant().notNull().defaultNow(),
});

/** Runs of reconcile with what they found; kept for 90 days. */
export const reconcileRuns = pgTable(
  'reconcile_runs',
  {
    id: text().primaryKey(),
    createdBy: text().notNull(),
    askedProvider: boolean().notNull(),
    status: text().$type<'running' | 'ok' | 'differences' | 'failed'>().notNull().default('running'),
    checksDone: integer().notNull().default(0),
    checks: integer().notNull().default(0),
    counted: jsonb().$type<Record<string, number>>(),
    /** Payments that were compared with the provider's; null: it was not asked, or did not answer. */
    providerPayments: integer(),
    differenceCount: integer().notNull().default(0),
    /** The first of them. */
    differences: jsonb()
      .$type<{ check: string; subject: string; expected: string; actual: string }[]>()
      .notNull()
      .default(sql`'[]'`),
    problem: text(),
    createdAt: instant().notNull().defaultNow(),
    /** Its process said then that it still works on it. */
    aliveAt: instant().notNull().defaultNow(),
    finishedAt: instant(),
  },
  (table) => [
    index('reconcile_runs_created').on(table.createdAt),
    check('reconcile_runs_status_known', sql`status in ('running', 'ok', 'differences', 'failed')`),
    check('reconcile_runs_running_is_unfinished', sql`(status = 'running') = (finished_at is null)`),
  ],
);
