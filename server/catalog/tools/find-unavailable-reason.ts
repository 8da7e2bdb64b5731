import type { Runtime } from '../../core/runtime';
import type { AnySkill, ToolDefinition } from '../../tools/sdk/define-tool';

/**
 * Returns why a tool, or a skill of it, cannot be called on this gateway now, for callers; null if
 * it can.
 */
export async function findUnavailableReason(
  { switches, engines }: Pick<Runtime, 'switches' | 'engines'>,
  tool: ToolDefinition,
  skill?: AnySkill,
): Promise<string | null> {
  const off = switches.findDisabledReason(tool.name);
  const why = off instanceof Promise ? await off : off;
  const missing = why ?? (tool.findEngine ? await engines.whyMissing(tool) : null);
  return missing ?? (skill?.findEngine ? await engines.whyMissing(skill) : null);
}

/**
 * Returns why a skill needs the caller's own provider key: the gateway has no key of any provider
 * it can use. Null if it has.
 */
export function findByokReason({ slots }: Pick<Runtime, 'slots'>, skill: AnySkill): string | null {
  const { requirements = [] } = skill;
  if (requirements.length === 0 || requirements.some((slot) => slots.get(slot).apiKey !== null)) return null;
  const names = requirements.map((slot) => slots.get(slot).provider.displayName).join(' or ');
  return `This gateway has no key of ${names}. Send or save your own.`;
}
