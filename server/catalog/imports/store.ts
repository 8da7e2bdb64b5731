import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database, Executor, Sql } from '@/db/client';
import { defineRow, text } from '@/db/rows';
import { importedSkillPrices, importedSlots, importedTools } from '@/db/schema/imports';
import type { Definition, Source } from './definition';
import { carrierSchema, type ImportedTool, type Presentation, type ToolCredential } from './imported';
import type { ImportedPrice } from './imported-price';

// These tables belong to the platform: no account owns a tool, so no query filters by account.

const fingerprintRow = defineRow({ fingerprint: text().nullable() });

/** Returns a text that changes with every change of any tool. */
export async function readFingerprint(db: Sql): Promise<string> {
  const [row] = await fingerprintRow.read(db`
    select md5(string_agg(name || ':' || revision, ',' order by name)) as fingerprint from imported_tools`);
  return row?.fingerprint ?? '';
}

/** Lists the imported tools by name, with prices and credentials. */
export async function listImported(db: Executor): Promise<ImportedTool[]> {
  const rows = await db.select().from(importedTools).orderBy(asc(importedTools.name));
  const prices = await db.select().from(importedSkillPrices);
  const slots = await db.select().from(importedSlots).orderBy(asc(importedSlots.slot));
  return rows.map((row) => toImported(row, prices, slots));
}

/** Returns null if there is none. `lock` prevents concurrent changes until the transaction ends. */
export async function findImported(
  db: Executor,
  name: string,
  { lock = false } = {},
): Promise<ImportedTool | null> {
  const query = db.select().from(importedTools).where(eq(importedTools.name, name));
  const [row] = await (lock ? query.for('update') : query);
  if (!row) return null;
  const prices = await db.select().from(importedSkillPrices).where(eq(importedSkillPrices.tool, name));
  const slots = await db
    .select()
    .from(importedSlots)
    .where(eq(importedSlots.tool, name))
    .orderBy(asc(importedSlots.slot));
  return toImported(row, prices, slots);
}

function toImported(
  row: typeof importedTools.$inferSelect,
  prices: (typeof importedSkillPrices.$inferSelect)[],
  slots: (typeof importedSlots.$inferSelect)[],
): ImportedTool {
  const { feeMicrousd, providerCostMicrousd, checkingAt: _checking, ...stored } = row;
  const own = prices.filter(({ tool }) => tool === row.name);
  return {
    ...stored,
    source: row.source as Source,
    presentation: row.presentation as Presentation,
    definition: row.definition as Definition,
    pendingDefinition: row.pendingDefinition as Definition | null,
    price: { feeMicrousd, providerCostMicrousd },
    skillPrices: Object.fromEntries(own.map(({ skill, tool: _tool, ...price }) => [skill, price])),
    slots: slots
      .filter(({ tool }) => tool === row.name)
      .map((slot) => ({ ...slot, carrier: carrierSchema.parse(slot.carrier) })),
  };
}

/** @returns false if a tool has this name already */
export async function insertImported(tx: Executor, tool: ImportedTool): Promise<boolean> {
  const { price, skillPrices: _prices, slots: _slots, ...row } = tool;
  const made = await tx
    .insert(importedTools)
    .values({ ...row, ...price, checkedAt: sql`now()` })
    .onConflictDoNothing()
    .returning({ name: importedTools.name });
  return made.length > 0;
}

/** The changeable fields of a tool. */
export type Change = Partial<
  Pick<
    ImportedTool,
    | 'presentation'
    | 'version'
    | 'definition'
    | 'definitionHash'
    | 'pendingDefinition'
    | 'changedAt'
    | 'problem'
    | 'disabledAt'
    | 'connection'
  > &
    ImportedPrice
>;

/** Updates a tool and its revision. Call `notifyOthers` in the same transaction. */
export async function updateImported(tx: Executor, name: string, change: Change): Promise<void> {
  await tx
    .update(importedTools)
    .set({ ...change, revision: sql`${importedTools.revision} + 1`, updatedAt: sql`now()` })
    .where(eq(importedTools.name, name));
}

export async function deleteImported(tx: Executor, name: string): Promise<void> {
  await tx.delete(importedTools).where(eq(importedTools.name, name));
}

export async function replaceSkillPrices(
  tx: Executor,
  tool: string,
  prices: Readonly<Record<string, ImportedPrice>>,
): Promise<void> {
  await tx.delete(importedSkillPrices).where(eq(importedSkillPrices.tool, tool));
  const rows = Object.entries(prices).map(([skill, price]) => ({ tool, skill, ...price }));
  if (rows.length > 0) await tx.insert(importedSkillPrices).values(rows);
}

/** @returns false if a tool has a credential of this name already */
export async function insertToolCredential(tx: Executor, slot: ToolCredential): Promise<boolean> {
  const made = await tx
    .insert(importedSlots)
    .values(slot)
    .onConflictDoNothing()
    .returning({ slot: importedSlots.slot });
  return made.length > 0;
}

export async function updateToolCredential(
  tx: Executor,
  { tool, slot }: Pick<ToolCredential, 'tool' | 'slot'>,
  value: Pick<ToolCredential, 'sealed' | 'vaultKeyId' | 'version'>,
): Promise<void> {
  await tx
    .update(importedSlots)
    .set(value)
    .where(and(eq(importedSlots.tool, tool), eq(importedSlots.slot, slot)));
}

/** Makes all processes read the tools again once the transaction commits. */
export async function notifyOthers(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_notify('gateway', 'tools')`);
}

const nameRow = defineRow({ name: text() });

/**
 * Leases the check of the tool that is due first, so that each tool is checked by one process at a
 * time.
 * @param everySeconds interval between checks; `retrySeconds` for a tool with a problem
 * @returns the tool's name; null if none is due
 */
export async function leaseDueCheck(
  db: Database,
  {
    everySeconds,
    retrySeconds,
    takenSeconds,
  }: { everySeconds: number; retrySeconds: number; takenSeconds: number },
): Promise<string | null> {
  const rows = await nameRow.read(
    db.execute(sql`
      update imported_tools set checking_at = now() where name = (
        select name from imported_tools
        where disabled_at is null
          and (checking_at is null or checking_at < now() - make_interval(secs => ${takenSeconds}))
          and (checked_at is null or checked_at < now() - make_interval(
            secs => case when problem is null then ${everySeconds}::int else ${retrySeconds}::int end))
        order by checked_at nulls first limit 1 for update skip locked)
      returning name`),
  );
  return rows[0]?.name ?? null;
}

/** Records that a check is complete, whatever its result. */
export async function markChecked(db: Executor, name: string): Promise<void> {
  await db
    .update(importedTools)
    .set({ checkedAt: sql`now()`, checkingAt: null })
    .where(eq(importedTools.name, name));
}

/** Makes the next check due now. */
export async function requestCheck(db: Executor, name: string): Promise<void> {
  await db.update(importedTools).set({ checkedAt: null }).where(eq(importedTools.name, name));
}

/** Lists the platform's credentials that are sealed with another vault key. */
export async function listToolCredentialsSealedBefore(
  db: Executor,
  vaultKeyId: string,
): Promise<ToolCredential[]> {
  const rows = await db
    .select()
    .from(importedSlots)
    .where(sql`${importedSlots.sealed} is not null and ${importedSlots.vaultKeyId} <> ${vaultKeyId}`);
  return rows.map((slot) => ({ ...slot, carrier: carrierSchema.parse(slot.carrier) }));
}

/** @returns false if the value was replaced or removed concurrently */
export async function replaceSealedToolCredential(
  db: Executor,
  { slot, sealed }: { slot: string; sealed: string },
  next: { sealed: string; vaultKeyId: string },
): Promise<boolean> {
  const rows = await db
    .update(importedSlots)
    .set(next)
    .where(and(eq(importedSlots.slot, slot), eq(importedSlots.sealed, sealed)))
    .returning({ slot: importedSlots.slot });
  return rows.length > 0;
}
