import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, json, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, microusd } from '../columns';

/** Tools that the operator imported from an MCP server or an OpenAPI document. */
export const importedTools = pgTable(
  'imported_tools',
  {
    name: text().primaryKey(),
    /**
     * `Source` of server/catalog/imports/definition.ts. Immutable, so saved secrets go nowhere
     * else.
     */
    source: json().notNull(),
    /**
     * The operator's presentation: names, categories, the selected skills and their names,
     * durations.
     */
    presentation: json().notNull(),
    version: text().notNull(),
    /** The approved definition and its SHA-256; only an equal one is called. */
    definition: json().notNull(),
    definitionHash: text().notNull(),
    /** The upstream's current definition, if it differs. */
    pendingDefinition: json(),
    /** Since when the upstream no longer matches the approved definition; calls are blocked. */
    changedAt: instant(),
    /** Why the upstream is unavailable, as a message for callers. */
    problem: text(),
    disabledAt: instant(),
    /** Connection data, never shown: the upstream's MCP revision. */
    connection: json(),
    allowPrivate: boolean().notNull().default(false),
    feeMicrousd: microusd().notNull(),
    providerCostMicrousd: microusd().notNull(),
    /** Incremented with every change that other processes must load. */
    revision: bigint({ mode: 'number' }).notNull().default(1),
    checkedAt: instant(),
    /** When a process started a check; others wait until it is old. */
    checkingAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (table) => [
    check('imported_tools_prices', sql`${table.feeMicrousd} >= 0 and ${table.providerCostMicrousd} >= 0`),
  ],
);

/** Skills with a price of their own. */
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

/** Credentials of imported tools: requirement slots, and variables that only the operator sets. */
export const importedSlots = pgTable(
  'imported_slots',
  {
    slot: text().primaryKey(),
    tool: text()
      .notNull()
      .references(() => importedTools.name, { onDelete: 'cascade' }),
    /** Where the credential goes: a header with its format, or an environment variable. */
    carrier: json().notNull(),
    displayName: text().notNull(),
    description: text().notNull(),
    acquireUrl: text().notNull(),
    setupGuide: text().notNull(),
    /** The platform's own credential, encrypted with slot and version; null if there is none. */
    sealed: text(),
    vaultKeyId: text(),
    version: integer().notNull().default(0),
  },
  (table) => [index('imported_slots_tool').on(table.tool)],
);
