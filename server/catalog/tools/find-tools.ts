import type { Runtime } from '../../core/runtime';
import type { ToolDefinition } from '../../tools/sdk/define-tool';
import { skillNotFound, toolNotFound } from '../../tools/tool-not-found';
import { getAvailability, STATES, type ToolAvailability } from './availability';
import { describeTool } from './describe-tool';
import type { Tool } from './schema';
import { chooseParts, DETAIL, type Selection, type SkillPart } from './selection';
import { NO_FACTS } from './tool-facts';

/** More than there are: tools are ranked by availability before the limit applies. */
const ALL_TOOLS = 10_000;

interface RankedTool {
  tool: ToolDefinition;
  availability: ToolAvailability;
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
    tools.map(async (tool) => ({ tool, availability: await getAvailability(runtime, tool) })),
  );
  const place = ({ availability }: RankedTool) => STATES.indexOf(availability.tool.state);
  return ranked.sort((a, b) => place(a) - place(b));
}

async function describeAll(
  runtime: Pick<Runtime, 'facts' | 'settings' | 'versions'>,
  tools: readonly RankedTool[],
  parts: ReadonlySet<SkillPart>,
): Promise<Tool[]> {
  const facts = await runtime.facts.all();
  const { versions } = runtime;
  const byokRate = Number(runtime.settings.byokRatePpm) / 1e6;
  return tools.map(({ tool, availability }) =>
    describeTool(tool, {
      parts,
      byokRate,
      versions,
      facts: facts.get(tool.name) ?? NO_FACTS,
      availability,
    }),
  );
}

/**
 * Lists the tools, all or of a category, unavailable ones last; without schemas and examples unless
 * they are requested.
 */
export async function listTools(
  runtime: Runtime,
  { category, limit, ...selection }: { category?: string | undefined; limit: number } & Selection,
): Promise<{ tools: Tool[] }> {
  const ranked = await rank(runtime, runtime.catalog.list({ category, limit: ALL_TOOLS }));
  return { tools: await describeAll(runtime, ranked.slice(0, limit), chooseParts([], selection)) };
}

/** Searches tools by a request in natural language, best first; unavailable ones last. */
export async function searchTools(
  runtime: Runtime,
  { q, limit }: { q: string; limit: number },
): Promise<{ tools: Tool[] }> {
  const ranked = await rank(runtime, runtime.catalog.search({ q, limit: ALL_TOOLS }));
  return { tools: await describeAll(runtime, ranked.slice(0, limit), new Set()) };
}

/**
 * Returns a tool with schemas and examples.
 * @throws GatewayError TOOL_NOT_FOUND, SKILL_NOT_FOUND
 */
export async function getTool(
  runtime: Runtime,
  name: string,
  { skill, ...selection }: { skill?: string | undefined } & Selection = {},
): Promise<Tool> {
  const found = runtime.tools.findTool(name);
  if (!found) throw toolNotFound(runtime.tools, name);
  const parts = chooseParts(DETAIL, selection);
  const [tool] = (await describeAll(runtime, await rank(runtime, [found]), parts)) as [Tool];
  if (skill === undefined) return tool;
  const skills = tool.skills.filter((each) => each.name === skill);
  if (skills.length === 0) throw skillNotFound(tool, skill);
  return { ...tool, skills };
}

/**
 * Returns a tool's skills with schemas and examples.
 * @throws GatewayError TOOL_NOT_FOUND
 */
export async function getToolSkills(runtime: Runtime, name: string, selection: Selection) {
  const tool = await getTool(runtime, name, selection);
  return { tool: tool.name, displayName: tool.displayName, skills: tool.skills };
}
