import type { Runtime } from '../../core/runtime';
import type { ToolDefinition } from '../../tools/sdk/define-tool';
import { skillNotFound, toolNotFound } from '../../tools/tool-not-found';
import { getAvailability, STATES, type ToolAvailability } from './availability';
import { type DescribeOptions, describeTool } from './describe-tool';
import { orderNearEquals } from './order-near-equals';
import type { FoundToolList, Tool } from './schema';
import { chooseParts, DETAIL, type Selection } from './selection';
import { NO_FACTS } from './tool-facts';

/** More than there are: tools are ranked by availability before the limit applies. */
const ALL_TOOLS = 10_000;

interface CheckedTool {
  tool: ToolDefinition;
  availability: ToolAvailability;
  /** 0 for a tool that works, more for others. */
  place: number;
}

async function checkTool(
  runtime: Pick<Runtime, 'engines' | 'slots' | 'switches'>,
  tool: ToolDefinition,
): Promise<CheckedTool> {
  const availability = await getAvailability(runtime, tool);
  return { tool, availability, place: STATES.indexOf(availability.tool.state) };
}

type Describe = (checked: CheckedTool, options: Pick<DescribeOptions, 'parts' | 'skills'>) => Tool;

async function createDescriber(runtime: Pick<Runtime, 'facts' | 'settings' | 'versions'>): Promise<Describe> {
  const known = await runtime.facts.all();
  const { versions } = runtime;
  const byokRate = Number(runtime.settings.byokRatePpm) / 1e6;
  return ({ tool, availability }, options) => {
    const facts = known.get(tool.name) ?? NO_FACTS;
    return describeTool(tool, { byokRate, versions, facts, availability, ...options });
  };
}

/**
 * Lists the tools, all or of a category, unavailable ones last; without schemas and examples unless
 * they are requested.
 */
export async function listTools(
  runtime: Runtime,
  { category, limit, ...selection }: { category?: string | undefined; limit: number } & Selection,
): Promise<{ tools: Tool[] }> {
  const tools = runtime.catalog.list({ category, limit: ALL_TOOLS });
  const checked = await Promise.all(tools.map((tool) => checkTool(runtime, tool)));
  const describe = await createDescriber(runtime);
  const parts = chooseParts([], selection);
  checked.sort((a, b) => a.place - b.place);
  return { tools: checked.slice(0, limit).map((tool) => describe(tool, { parts })) };
}

/**
 * Searches tools by a request in natural language, best first, each with its matching skills only.
 * Availability decides between tools that match about equally well.
 */
export async function searchTools(
  runtime: Runtime,
  { q, limit, ...selection }: { q: string; limit: number } & Selection,
): Promise<FoundToolList> {
  const { found, nearestCategories } = runtime.catalog.search(q);
  const checked = await Promise.all(
    found.map(async (match) => ({ ...match, checked: await checkTool(runtime, match.tool) })),
  );
  const describe = await createDescriber(runtime);
  const ranked = orderNearEquals(checked, ({ checked: { place } }) => place);
  const parts = chooseParts([], selection);
  return {
    tools: ranked.slice(0, limit).map(({ tool, score, skills, checked: state }) => ({
      ...describe(state, { parts, skills }),
      score: Math.round(score * 100) / 100,
      matched_skills: [...skills],
      skill_count: tool.skills.length,
    })),
    ...(found.length === 0 && { nearest_categories: [...nearestCategories] }),
  };
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
  if (skill !== undefined && !runtime.tools.findSkill(found, skill))
    throw skillNotFound(runtime.tools, found, skill);
  const describe = await createDescriber(runtime);
  const parts = chooseParts(DETAIL, selection);
  return describe(await checkTool(runtime, found), {
    parts,
    ...(skill !== undefined && { skills: [skill] }),
  });
}

/**
 * Returns a tool's skills with schemas and examples.
 * @throws GatewayError TOOL_NOT_FOUND
 */
export async function getToolSkills(runtime: Runtime, name: string, selection: Selection) {
  const tool = await getTool(runtime, name, selection);
  return { tool: tool.name, displayName: tool.displayName, skills: tool.skills };
}
