import { describeAvailability } from '../../../catalog/tools/describe-availability';
import type { Skill, Tool } from '../../../catalog/tools/schema';
import { invokeProcedure } from '../invoke-procedure';
import type { McpCall } from '../mcp-call';
import type { McpResources } from '../surface';

const PREFIX = 'tool://';
/** The maximum that REST lists. */
const MAX_TOOLS = 500;
const MAX_COMPLETIONS = 100;
/** As long as REST allows discovery responses to be cached. */
const FRESH_MS = 60_000;

/** A Markdown document about each tool, for models. */
export const toolResources: McpResources = {
  template: {
    uriTemplate: `${PREFIX}{name}`,
    name: 'tool',
    title: 'Tool document',
    description: 'What a tool does: each skill with its price, schemas and examples, as Markdown.',
    mimeType: 'text/markdown',
  },

  async list(call) {
    return (await listTools(call)).map(({ name, displayName, subtitle }) => ({
      uri: `${PREFIX}${name}`,
      name,
      title: displayName,
      description: subtitle,
      mimeType: 'text/markdown',
    }));
  },

  async read(call, uri) {
    if (!uri.startsWith(PREFIX)) return null;
    const tool = (await invokeProcedure(call, 'tools.get', { tool: uri.slice(PREFIX.length) })) as Tool;
    const contents = [{ uri, mimeType: 'text/markdown', text: renderTool(tool) }];
    return { contents, ttlMs: FRESH_MS, cacheScope: 'public' };
  },

  async complete(call, prefix) {
    const names = (await listTools(call)).map(({ name }) => name);
    return names.filter((name) => name.startsWith(prefix)).slice(0, MAX_COMPLETIONS);
  },
};

async function listTools(call: McpCall): Promise<Tool[]> {
  const { tools } = (await invokeProcedure(call, 'tools.list', { limit: String(MAX_TOOLS) })) as {
    tools: Tool[];
  };
  return tools;
}

function renderTool(tool: Tool): string {
  const missing = describeAvailability(tool, '\n\n');
  const head = `# ${tool.displayName}\n\n${missing}${tool.description}\n\nName: \`${tool.name}\`. Version ${tool.version}. Categories: ${tool.categories.join(', ')}.`;
  return [head, ...tool.skills.map((skill) => renderSkill(tool, skill))].join('\n\n');
}

function renderSkill(tool: Tool, skill: Skill): string {
  const { name, displayName, description, pricing, returns, examples = [] } = skill;
  const price = pricing.free ? 'Free.' : `Price: $${pricing.price_usd} per ${pricing.unit}.`;
  const keys =
    skill.requirements.length > 0 ? ` Accepts your own key for: ${skill.requirements.join(', ')}.` : '';
  const calls = examples.map(
    (example) =>
      `${example.description}\n\n${fenced({ tool: tool.name, skill: name, input: example.input })}`,
  );
  return [
    `## ${displayName}`,
    `${description}\n\n${skill.unavailable_reason === tool.unavailable_reason ? '' : describeAvailability(skill, '\n\n')}Skill: \`${name}\`. ${price}${keys}${returns ? ` Returns ${returns}.` : ''}`,
    `### Input\n\n${fenced(skill.input)}`,
    `### Output\n\n${fenced(skill.outputSchema)}`,
    ...(calls.length > 0 ? [`### call_tool, for example\n\n${calls.join('\n\n')}`] : []),
  ].join('\n\n');
}

function fenced(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}
