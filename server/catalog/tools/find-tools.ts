import type { Runtime } from '../../core/runtime';
import type { AnySkill, ToolDefinition } from '../../tools/sdk/define-tool';
import { toolNotFound } from '../../tools/tool-not-found';
import { describeTool } from './describe-tool';
import { findByokReason, findUnavailableReason } from './find-unavailable-reason';
import type { Tool } from './schema';
import { NO_FACTS } from './tool-facts';

/** More than there are: tools are ranked by availability before the limit applies. */
const ALL_TOOLS = 10_000;

interface RankedTool {
  tool: ToolDefinition;
  missing: string | null;
  /**
   * Returns why a skill cannot be called: the gateway lacks what it needs, or the caller must bring
   * a provider key.
   */
  whyNotSkill: (skill: AnySkill) => string | null;
}

/**
 * Ranks tools that work first, then those that need the caller's provider key, then unavailable
 * ones.
 */
async function rank(
  runtime: Pick<Runtime, 'engines' | 'slots' | 'switches'>,
  tools: readonly ToolDefinition[],
): Promise<RankedTool[]> {
  const ranked = await Promise.all(
    tools.map(async (tool) => {
      const toolMissing = await findUnavailableReason(runtime, tool);
      const skillMissing = new Map<AnySkill, string | null>();
      if (toolMissing === null)
        for (const skill of tool.skills)
          if (skill.findEngine) skillMissing.set(skill, await findUnavailableReason(runtime, tool, skill));
      const whyNotSkill = (skill: AnySkill) => skillMissing.get(skill) ?? findByokReason(runtime, skill);
      // A tool is unavailable if none of its skills is available.
      const noneWorks = tool.skills.every((skill) => typeof skillMissing.get(skill) === 'string');
      const missing = toolMissing ?? (noneWorks ? ([...skillMissing.values()][0] ?? null) : null);
      const isLimited = tool.skills.every((skill) => whyNotSkill(skill) !== null);
      return { tool, missing, whyNotSkill, place: missing !== null ? 2 : isLimited ? 1 : 0 };
    }),
  );
  return ranked.sort((a, b) => a.place - b.place);
}

async function describeAll(
  runtime: Pick<Runtime, 'facts' | 'settings' | 'versions'>,
  tools: readonly RankedTool[],
  detail: boolean,
): Promise<Tool[]> {
  const facts = await runtime.facts.all();
  const { versions } = runtime;
  const byokRate = Number(runtime.settings.byokRatePpm) / 1e6;
  return tools.map(({ tool, missing, whyNotSkill }) => {
    const known = facts.get(tool.name) ?? NO_FACTS;
    return describeTool(tool, {
      detail,
      byokRate,
      versions,
      facts: missing === null ? known : { ...known, available: false, unavailable_reason: missing },
      whyNotSkill,
    });
  });
}

/** Lists the tools, all or of a category, without schemas and examples; unavailable ones last. */
export async function listTools(
  runtime: Runtime,
  { category, limit }: { category?: string | undefined; limit: number },
): Promise<{ tools: Tool[] }> {
  const ranked = await rank(runtime, runtime.catalog.list({ category, limit: ALL_TOOLS }));
  return { tools: await describeAll(runtime, ranked.slice(0, limit), false) };
}

/** Searches tools by a request in natural language, best first; unavailable ones last. */
export async function searchTools(
  runtime: Runtime,
  { q, limit }: { q: string; limit: number },
): Promise<{ tools: Tool[] }> {
  const ranked = await rank(runtime, runtime.catalog.search({ q, limit: ALL_TOOLS }));
  return { tools: await describeAll(runtime, ranked.slice(0, limit), false) };
}

/**
 * Returns a tool with schemas and examples.
 * @throws GatewayError TOOL_NOT_FOUND
 */
export async function getTool(runtime: Runtime, name: string): Promise<Tool> {
  const found = runtime.tools.findTool(name);
  if (!found) throw toolNotFound(runtime.tools, name);
  const [tool] = await describeAll(runtime, await rank(runtime, [found]), true);
  return tool as Tool;
}

/**
 * Returns a tool's skills with schemas and examples.
 * @throws GatewayError TOOL_NOT_FOUND
 */
export async function getToolSkills(runtime: Runtime, name: string) {
  const tool = await getTool(runtime, name);
  return { tool: tool.name, displayName: tool.displayName, skills: tool.skills };
}
