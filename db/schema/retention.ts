import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns';

/**
 * A time that divides a table. `usage_records`: earlier rows may have been deleted
 * (server/operations/retention). `usage_days`: contains exactly the hours before it.
 */
export const retentionMarks = pgTable('retention_marks', {
  what: text().$type<'usage_records' | 'usage_days'>().primaryKey(),
  keptFrom: instant().notNull(),
});
