import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, json, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, microusd } from '../columns';

/** Tools that the operator has brought, from an MCP server or an OpenAPI document. A row lives until it is removed. */
export const importedTools = pgTable(
  'imported_tools',
  {
    name: text().primaryKey(),
    /** Where it is from (server/catalog/imports/definition.ts: Source). Never changes: what was saved for it goes nowhere else. */
    source: json().notNull(),
    /** How the operator shows it: names, categories, which skills under which names, how long they take. */
    presentation: json().notNull(),
    version: text().notNull(),
    /** What was approved, and its SHA-256; only what equals it is called. */
    definition: json().notNull(),
    definitionHash: text().notNull(),
    /** What the upstream says now, where it is something else. */
    pendingDefinition: json(),
    /** Since when what was approved is not there any more as it was: calls have stopped. */
    changedAt: instant(),
    /** Why the upstream cannot be used now, in words for a caller. */
    problem: text(),
    disabledAt: instant(),
    /** Of a connection, never shown: which revision of MCP the upstream speaks. */
    connection: json(),
    allowPrivate: boolean().notNull().default(false),
    feeMicrousd: microusd().notNull(),
    providerCostMicrousd: microusd().notNull(),
    /** Rises with everything that other processes have to know. */
    revision: bigint({ mode: 'number' }).notNull().default(1),
    checkedAt: instant(),
    /** A process is looking; another one waits until this is old. */
    checkingAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [
    check('imported_tools_prices', sql`${table.feeMicrousd} >= 0 and ${table.providerCostMicrousd} >= 0`),
  ],
);

/** Skills whose price is not that of their tool. */
export const importedSkillPrices = pgTable(
  'imported_skill_prices',
  {
    tool: text()
      .notNull()
      .references(() => importedTools.name, { onDelete: 'cascade' }),
    skill: text().notNull(),
    feeMicrousd: microusd().notNull(),
    providerCostMicrousd: microusd().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tool, table.skill] }),
    check(
      'imported_skill_prices_range',
      sql`${table.feeMicrousd} >= 0 and ${table.providerCostMicrousd} >= 0`,
    ),
  ],
);

/** Credentials that imported tools take: requirement slots, and variables of commands, which only the operator fills. */
export const importedSlots = pgTable(
  'imported_slots',
  {
    slot: text().primaryKey(),
    tool: text()
      .notNull()
      .references(() => importedTools.name, { onDelete: 'cascade' }),
    /** Where the credential goes: a header with its format, or a variable of the environment. */
    carrier: json().notNull(),
    displayName: text().notNull(),
    description: text().notNull(),
    acquireUrl: text().notNull(),
    setupGuide: text().notNull(),
    /** The platform's own, sealed by the vault with slot and version; null where there is none. */
    sealed: text(),
    vaultKeyId: text(),
    version: integer().notNull().default(0),
  },
  (table) => [index('imported_slots_tool').on(table.tool)],
);
