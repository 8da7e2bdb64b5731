import type { Runtime } from '../runtime';
import type { ToolDefinition } from '../tools/define-tool';

/** Why a tool cannot be called on this gateway now, in words for a caller; null where it can. */
export async function whyUnavailable(
  { switches, engines }: Pick<Runtime, 'switches' | 'engines'>,
  tool: ToolDefinition,
): Promise<string | null> {
  const off = switches.whyOff(tool.name);
  const why = off instanceof Promise ? await off : off;
  return why ?? (tool.findEngine ? await engines.whyMissing(tool) : null);
}
