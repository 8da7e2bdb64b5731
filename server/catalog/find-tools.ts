import { GatewayError } from '../errors/gateway-error';
import type { Runtime } from '../runtime';
import type { ToolDefinition } from '../tools/define-tool';
import { describeTool } from './describe-tool';
import type { Tool } from './schema';
import { NO_FACTS } from './tool-facts';
import { whyUnavailable } from './why-unavailable';

async function describeAll(
  runtime: Runtime,
  tools: readonly ToolDefinition[],
  detail: boolean,
): Promise<Tool[]> {
  const facts = await runtime.facts.all();
  const byokRate = Number(runtime.settings.byokRatePpm) / 1e6;
  return await Promise.all(
    tools.map(async (tool) => {
      const missing = await whyUnavailable(runtime, tool);
      const known = facts.get(tool.name) ?? NO_FACTS;
      const toolFacts =
        missing === null ? known : { ...known, available: false, unavailable_reason: missing };
      return describeTool(tool, { detail, byokRate, versions: runtime.versions, facts: toolFacts });
    }),
  );
}

/** Every tool, or those of a category; without schemas and examples. */
export async function listTools(
  runtime: Runtime,
  query: { category?: string; limit: number },
): Promise<{ tools: Tool[] }> {
  return { tools: await describeAll(runtime, runtime.catalog.list(query), false) };
}

/** Tools that do what is asked for, best first. */
export async function searchTools(
  runtime: Runtime,
  query: { q: string; limit: number },
): Promise<{ tools: Tool[] }> {
  return { tools: await describeAll(runtime, runtime.catalog.search(query), false) };
}

/**
 * The whole tool, with schemas and examples.
 * @throws GatewayError TOOL_NOT_FOUND
 */
export async function getTool(runtime: Runtime, name: string): Promise<Tool> {
  const found = runtime.tools.findTool(name);
  if (!found) throw new GatewayError('TOOL_NOT_FOUND');
  const [tool] = await describeAll(runtime, [found], true);
  return tool as Tool;
}

/**
 * The skills of a tool, as in its detail.
 * @throws GatewayError TOOL_NOT_FOUND
 */
export async function getToolSkills(runtime: Runtime, name: string) {
  const tool = await getTool(runtime, name);
  return { tool: tool.name, displayName: tool.displayName, skills: tool.skills };
}
