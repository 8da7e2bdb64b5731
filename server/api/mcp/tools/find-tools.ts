import { z } from 'zod';
import { MAX_SEARCH_LENGTH } from '../../../catalog/tools/limits';
import type { FoundToolList, Tool } from '../../../catalog/tools/schema';
import { strictInput } from '../../../kit/strict-input';
import { defineMcpTool } from '../define-mcp-tool';
import { invokeProcedure } from '../invoke-procedure';
import { buildTextResult } from '../tool-result';

const DEFAULT_FOUND = 5;
const DEFAULT_LISTED = 10;
/** GET /v1/tools lists all of them. */
const MAX_FOUND = 50;

/** Finds tools for a task. */
export const searchTools = defineMcpTool({
  name: 'search_tools',
  title: 'Search tools',
  description:
    'Start here: find tools by what you want to do, in your own words; the best match comes first. Each tool lists its matching skills with their prices; none found: no tool does it. Read it with get_tool, then call_tool.',
  input: strictInput({
    q: z
      .string()
      .trim()
      .min(1)
      .max(MAX_SEARCH_LENGTH)
      .optional()
      .describe('What you want to do. Without it, tools are listed by name.'),
    category: z.string().min(1).max(64).optional().describe('Without q: only tools of this category.'),
    limit: z
      .int()
      .min(1)
      .max(MAX_FOUND)
      .optional()
      .describe(`By default ${DEFAULT_FOUND} with q, otherwise ${DEFAULT_LISTED}.`),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  needsKey: false,
  async run(call, { q, category, limit }) {
    const found =
      q === undefined
        ? await invokeProcedure(call, 'tools.list', { category, limit: String(limit ?? DEFAULT_LISTED) })
        : await invokeProcedure(call, 'tools.search', { q, limit: String(limit ?? DEFAULT_FOUND) });
    const { tools, ...rest } = found as { tools: SummarisedTool[]; nearest_categories?: string[] };
    return buildTextResult(call, { tools: tools.map(summarise), ...rest });
  },
});

type SummarisedTool = Tool & Partial<Pick<FoundToolList['tools'][number], 'score' | 'skill_count'>>;

/** Keeps what a model needs to choose; get_tool has the rest. */
function summarise(tool: SummarisedTool) {
  const { name, displayName, subtitle, categories, available, availability, rating, skills } = tool;
  return {
    name,
    displayName,
    subtitle,
    categories,
    available,
    availability,
    unavailable_reason: tool.unavailable_reason,
    ...(tool.provider_keys && { provider_keys: tool.provider_keys }),
    rating: rating.average,
    ...(tool.score !== undefined && { score: tool.score, skill_count: tool.skill_count }),
    skills: skills.map((skill) => ({
      name: skill.name,
      description: skill.description,
      free: skill.pricing.free,
      price_usd: skill.pricing.price_usd,
      unit: skill.pricing.unit,
      estimated_seconds: skill.annotations.estimatedSeconds,
      availability: skill.availability,
      ...(skill.unavailable_reason !== undefined &&
        skill.unavailable_reason !== tool.unavailable_reason && {
          unavailable_reason: skill.unavailable_reason,
        }),
    })),
  };
}

/** Returns the description of a tool. */
export const getTool = defineMcpTool({
  name: 'get_tool',
  title: 'Get a tool',
  description:
    'Read a tool before you call it: each skill with its input schema, examples, price, and the provider keys it can use. Name a skill to get only that one.',
  input: strictInput({
    tool: z.string().min(1).max(64).describe('The name of the tool, from search_tools.'),
    skill: z.string().min(1).max(64).optional().describe('Return only this skill.'),
    output_schema: z.boolean().optional().describe('Add the schemas of outputs.'),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  needsKey: false,
  async run(call, { output_schema, ...wanted }) {
    const tool = (await invokeProcedure(call, 'tools.get', wanted)) as Tool;
    if (output_schema === true) return buildTextResult(call, tool);
    const skills = tool.skills.map(({ outputSchema: _, ...skill }) => skill);
    return buildTextResult(call, { ...tool, skills });
  },
});
