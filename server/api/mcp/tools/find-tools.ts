import { z } from 'zod';
import { MAX_SEARCH_LENGTH } from '../../../catalog/tools/limits';
import { type Tool, toolSchema } from '../../../catalog/tools/schema';
import { strictInput } from '../../../kit/strict-input';
import { skillNotFound } from '../../../tools/tool-not-found';
import { defineMcpTool } from '../define-mcp-tool';
import { invokeProcedure } from '../invoke-procedure';
import { buildResult } from '../tool-result';

const DEFAULT_FOUND = 10;
/** GET /v1/tools lists all of them. */
const MAX_FOUND = 50;

const foundSkill = z.looseObject({
  name: z.string(),
  description: z.string(),
  free: z.boolean(),
  price_usd: z.number().describe('US dollars per unit, if it is not free.'),
  unit: z.string(),
  estimated_seconds: z.number().describe('A call of 30 seconds or more becomes a job.'),
});

const foundTools = z.looseObject({
  tools: z.array(
    z.looseObject({
      name: z.string(),
      displayName: z.string(),
      subtitle: z.string(),
      categories: z.array(z.string()),
      available: z.boolean(),
      unavailable_reason: z.string().nullable(),
      rating: z.number().nullable().describe('Stars, 1 to 5.'),
      skills: z.array(foundSkill),
    }),
  ),
});

/** Finds tools for a task. */
export const searchTools = defineMcpTool({
  name: 'search_tools',
  title: 'Search tools',
  description:
    'Find tools by what you want to do, in your own words; the best match comes first. Start here. Each tool lists its skills with their prices. Then read the tool with get_tool, and call a skill with call_tool.',
  input: strictInput({
    q: z
      .string()
      .trim()
      .min(1)
      .max(MAX_SEARCH_LENGTH)
      .optional()
      .describe('What you want to do. Without it, tools are listed by name.'),
    category: z.string().min(1).max(64).optional().describe('Without q: only tools of this category.'),
    limit: z.int().min(1).max(MAX_FOUND).default(DEFAULT_FOUND).describe('At most this many tools.'),
  }),
  output: foundTools,
  annotations: { readOnlyHint: true, openWorldHint: false },
  needsKey: false,
  async run(call, { q, category, limit }) {
    const found =
      q === undefined
        ? await invokeProcedure(call, 'tools.list', { category, limit: String(limit) })
        : await invokeProcedure(call, 'tools.search', { q, limit: String(limit) });
    const { tools } = found as { tools: Tool[] };
    return buildResult(call, { tools: tools.map(summarise) });
  },
});

/** Keeps what a model needs to choose; get_tool has the rest. */
function summarise(tool: Tool): z.infer<typeof foundTools>['tools'][number] {
  const { name, displayName, subtitle, categories, available, unavailable_reason, rating, skills } = tool;
  return {
    name,
    displayName,
    subtitle,
    categories,
    available,
    unavailable_reason,
    rating: rating.average,
    skills: skills.map((skill) => ({
      name: skill.name,
      description: skill.description,
      free: skill.pricing.free,
      price_usd: skill.pricing.price_usd,
      unit: skill.pricing.unit,
      estimated_seconds: skill.annotations.estimatedSeconds,
    })),
  };
}

/** Returns the full description of a tool. */
export const getTool = defineMcpTool({
  name: 'get_tool',
  title: 'Get a tool',
  description:
    'Read a tool before you call it: each skill with its input schema, output schema, examples, price, and the provider keys it can use. Name a skill to get only that one.',
  input: strictInput({
    tool: z.string().min(1).max(64).describe('The name of the tool, from search_tools.'),
    skill: z.string().min(1).max(64).optional().describe('Return only this skill.'),
  }),
  output: toolSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  needsKey: false,
  async run(call, { tool: name, skill }) {
    const tool = (await invokeProcedure(call, 'tools.get', { tool: name })) as Tool;
    if (skill === undefined) return buildResult(call, tool);
    const skills = tool.skills.filter((one) => one.name === skill);
    if (skills.length === 0) throw skillNotFound(tool, skill);
    return buildResult(call, { ...tool, skills });
  },
});
