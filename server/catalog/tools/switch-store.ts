import { eq, sql } from 'drizzle-orm';
import type { Executor, Sql } from '@/db/client';
import { defineRow, text } from '@/db/rows';
import { toolSwitches } from '@/db/schema/operator';

const switchRow = defineRow({ tool: text() });

/** Lists the disabled built-in tools. */
export async function listSwitchedOff(db: Sql): Promise<string[]> {
  const rows = await switchRow.read(db`select tool from tool_switches`);
  return rows.map(({ tool }) => tool);
}

/** @returns false if it was already disabled */
export async function insertSwitch(
  tx: Executor,
  row: { tool: string; reason: string; createdBy: string },
): Promise<boolean> {
  const made = await tx
    .insert(toolSwitches)
    .values(row)
    .onConflictDoNothing()
    .returning({ tool: toolSwitches.tool });
  return made.length > 0;
}

/** @returns false if it was not disabled */
export async function deleteSwitch(tx: Executor, tool: string): Promise<boolean> {
  const gone = await tx
    .delete(toolSwitches)
    .where(eq(toolSwitches.tool, tool))
    .returning({ tool: toolSwitches.tool });
  return gone.length > 0;
}

/** Makes all processes read the switches again once the transaction commits. */
export async function notifySwitchesChanged(tx: Executor): Promise<void> {
  await tx.execute(sql`select pg_notify('gateway', 'tools')`);
}
