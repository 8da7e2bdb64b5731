import { sql } from 'drizzle-orm';
import { check, index, pgTable, smallint, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant } from '../columns';
import { accounts } from './accounts';

/** One review per tool and account. */
export const reviews = pgTable(
  'reviews',
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    tool: text().notNull(),
    rating: smallint().notNull(),
    review: text(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('reviews_one_per_tool_and_account').on(table.tool, table.accountId),
    index('reviews_account').on(table.accountId),
    index('reviews_tool_newest').on(table.tool, table.updatedAt, table.id),
    index('reviews_tool_stars').on(table.tool, table.rating, table.updatedAt, table.id),
    check('reviews_rating_in_range', sql`rating between 1 and 5`),
  ],
);
