import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns';

/**
 * An instant that divides a table. `usage_records`: rows from before it may have been removed (server/operations/retention).
 * `usage_days`: all hours before it are in their days, none after it.
 */
export const retentionMarks = pgTable('retention_marks', {
  what: text().$type<'usage_records' | 'usage_days'>().primaryKey(),
  keptFrom: instant().notNull(),
});
