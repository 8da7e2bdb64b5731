import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns';

/** How far back a table is whole: rows from before that instant may have been removed (server/retention). */
export const retentionMarks = pgTable('retention_marks', {
  what: text().$type<'usage_records'>().primaryKey(),
  keptFrom: instant().notNull(),
});
