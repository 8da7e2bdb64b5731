import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns';

/** The audit log: append-only, written in the transaction of the action. Contains no secrets. */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: text().primaryKey(),
    /** `user:…`, `key:…`, `operator:…`. */
    actor: text().notNull(),
    action: text().notNull(),
    accountId: text(),
    target: text(),
    details: jsonb().$type<Record<string, string | number | boolean | null>>().notNull(),
    /** The request that caused it, if any. */
    requestId: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    index('audit_events_account').on(table.accountId, table.createdAt),
    index('audit_events_actor').on(table.actor, table.id),
  ],
);
