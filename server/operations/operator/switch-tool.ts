import { changeTool } from '../../catalog/imports/change-tool';
import { findImportedTool } from '../../catalog/imports/list-tools';
import { deleteSwitch, insertSwitch, notifySwitchesChanged } from '../../catalog/tools/switch-store';
import { type AuditActor, writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { toolNotFound } from '../../tools/tool-not-found';

/**
 * Switches a tool off or on for everyone. While off, it is listed as unavailable and all processes
 * refuse new calls within a second; running calls finish normally.
 * @returns whether anything changed
 * @throws GatewayError TOOL_NOT_FOUND
 */
export async function switchTool(
  runtime: Pick<Runtime, 'db' | 'imports' | 'switches' | 'tools'>,
  by: AuditActor & { reason: string },
  { tool, off }: { tool: string; off: boolean },
): Promise<boolean> {
  if (!runtime.tools.findTool(tool)) throw toolNotFound(runtime.tools, tool);
  const imported = await findImportedTool(runtime, tool);
  if (imported) {
    if ((imported.disabledAt !== null) === off) return false;
    await changeTool(runtime, by, tool, { disabled: off });
    return true;
  }
  const changed = await runtime.db.transaction(async (tx) => {
    const { name: createdBy, reason } = by;
    const done = off ? await insertSwitch(tx, { tool, reason, createdBy }) : await deleteSwitch(tx, tool);
    if (!done) return false;
    await writeAudit(tx, { actor: by, action: off ? 'tool.disable' : 'tool.enable', target: tool });
    await notifySwitchesChanged(tx);
    return true;
  });
  await runtime.switches.refresh();
  return changed;
}
