import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns';

/** Built-in tools that the operator has disabled for everyone. Enabling a tool deletes its row. */
export const toolSwitches = pgTable('tool_switches', {
  tool: text().primaryKey(),
  /** For operators, never shown to callers. */
  reason: text().notNull(),
  /** The operator's name in the audit log. */
  createdBy: text().notNull(),
  createdAt: instant().notNull().defaultNow(),
});

/** Reconcile runs and their findings; retained for 90 days. */
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
    /**
     * Payments compared with the provider's; null: not requested, or the provider did not respond.
     */
    providerPayments: integer(),
    differenceCount: integer().notNull().default(0),
    /** The first differences. */
    differences: jsonb()
      .$type<{ check: string; subject: string; expected: string; actual: string }[]>()
      .notNull()
      .default(sql`'[]'`),
    problem: text(),
    createdAt: instant().notNull().defaultNow(),
    /** Heartbeat of the process that runs it. */
    aliveAt: instant().notNull().defaultNow(),
    finishedAt: instant(),
  },
  (table) => [
    index('reconcile_runs_created').on(table.createdAt),
    check('reconcile_runs_status_known', sql`status in ('running', 'ok', 'differences', 'failed')`),
    check('reconcile_runs_running_is_unfinished', sql`(status = 'running') = (finished_at is null)`),
  ],
);
