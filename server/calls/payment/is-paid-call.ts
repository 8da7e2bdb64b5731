import type { Runtime } from '../../core/runtime';

/** Whether a client without a key may pay for this call: its skill exists and has a price. */
export function isPaidCall(
  { settings, tools }: Pick<Runtime, 'settings' | 'tools'>,
  { tool: toolName, skill: skillName, dry_run: isDryRun }: Readonly<Record<string, unknown>>,
): boolean {
  if (!settings.payPerCall || isDryRun === true) return false;
  const tool = typeof toolName === 'string' ? tools.findTool(toolName) : undefined;
  const skill = tool && typeof skillName === 'string' ? tools.findSkill(tool, skillName) : undefined;
  return skill !== undefined && !skill.price.free;
}
