import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant, microusd } from '../columns';

/**
 * Changes of the prices of built-in tools, never edited or deleted: the last one in effect counts.
 * A change without fee and markup resets to the price of the release.
 */
export const toolPrices = pgTable(
  'tool_prices',
  {
    id: bigint({ mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    tool: text().notNull(),
    /** Null for the markup on the provider's cost, which applies to all skills of the tool. */
    skill: text(),
    /** The platform fee per unit. */
    feeMicrousd: microusd(),
    /** Parts per million of the provider's cost. */
    markupPpm: integer(),
    reason: text().notNull(),
    /** The operator's name in the audit log. */
    createdBy: text().notNull(),
    effectiveAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (table) => [
    index('tool_prices_tool').on(table.tool, table.skill, table.id),
    check('tool_prices_fee_bounded', sql`fee_microusd between 0 and 1000000000`),
    check('tool_prices_markup_bounded', sql`markup_ppm between 0 and 10000000`),
    check(
      'tool_prices_fee_of_a_skill',
      sql`(skill is null or markup_ppm is null) and (skill is not null or fee_microusd is null)`,
    ),
  ],
);
