import type { Runtime } from '../../core/runtime';
import type { AnySkill, MissingEngine, ToolDefinition } from '../../tools/sdk/define-tool';

/** Finds why nobody can call a skill now, whatever key they send; null if some can. */
export async function findOutage(
  { switches, engines }: Pick<Runtime, 'switches' | 'engines'>,
  tool: ToolDefinition,
  skill: AnySkill,
): Promise<MissingEngine | null> {
  const off = switches.findDisabledReason(tool.name);
  const reason = off instanceof Promise ? await off : off;
  if (reason !== null) return { reason };
  const missing = tool.findEngine ? await engines.findMissing(tool) : null;
  return missing ?? (skill.findEngine ? await engines.findMissing(skill) : null);
}

/** Finds why nobody can call any skill of a tool now; null if some skill works. */
export async function findToolOutage(
  runtime: Pick<Runtime, 'switches' | 'engines'>,
  tool: ToolDefinition,
): Promise<MissingEngine | null> {
  const outages = await Promise.all(tool.skills.map((skill) => findOutage(runtime, tool, skill)));
  return outages.includes(null) ? null : (outages[0] ?? null);
}

/** Finds why a skill cannot be called with the platform's provider key; null if it can. */
export async function findPlatformKeyOutage(
  { engines }: Pick<Runtime, 'engines'>,
  { platformKeyNeeds }: AnySkill,
): Promise<MissingEngine | null> {
  return platformKeyNeeds ? await engines.findMissing(platformKeyNeeds) : null;
}
