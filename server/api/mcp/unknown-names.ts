import { nearestName } from '../../core/errors/unknown-name';
import type { ToolLookup } from '../../tools/tool-lookup';
import { toolNotFound } from '../../tools/tool-not-found';

const MAX_SHOWN_CHARS = 64;
const METHODS = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
];
const CALL_TOOL = 'call_tool with {"tool": …, "skill": …, "input": {…}}';

/**
 * Explains an unknown name of an MCP tool: a misspelt one, or a tool of the catalogue, which is
 * called through one.
 */
export function describeUnknownTool(name: string, own: readonly string[], catalogue: ToolLookup): string {
  if (catalogue.findTool(name)) return `${quote(name)} is a tool of the catalogue. Call ${CALL_TOOL}.`;
  const nearest = nearestName(name, own);
  if (nearest !== undefined) return `Unknown tool ${quote(name)}. Did you mean ${quote(nearest)}?`;
  const { message } = toolNotFound(catalogue, name);
  return `${message} See tools/list. To call a tool of the catalogue, find it with search_tools, then call ${CALL_TOOL}.`;
}

/** Explains an unknown method of the protocol. */
export function describeUnknownMethod(method: string): string {
  const nearest = nearestName(method, METHODS);
  const suggestion = nearest === undefined ? `Methods: ${METHODS.join(', ')}.` : `Did you mean ${nearest}?`;
  return `Method not found: ${quote(method)}. ${suggestion}`;
}

function quote(name: string): string {
  return JSON.stringify(name.slice(0, MAX_SHOWN_CHARS));
}
