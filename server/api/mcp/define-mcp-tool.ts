import type { CallToolResult, ServerContext, Tool, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { McpCall } from './mcp-call';
import type { McpTool } from './surface';
import { readArguments, refusalOf } from './tool-result';
import { schemaOf } from './tool-schema';

interface Definition<Input extends z.ZodObject> {
  name: string;
  title: string;
  /** For a model: what it is for, when, and what comes next. */
  description: string;
  input: Input;
  output: z.ZodObject;
  annotations: ToolAnnotations;
  needsKey: boolean;
  /** What it throws becomes a result with `isError`. */
  run(call: McpCall, args: z.infer<Input>, asked: ServerContext): Promise<CallToolResult>;
}

/** Clients of before 2026-07-28 hold refusals too against the schema of the output. */
const REFUSAL = {
  type: 'object',
  properties: { status: { const: 'error' }, error: { type: 'object' } },
  required: ['status', 'error'],
};

/** A tool of MCP. Arguments are read by its schema; whatever goes wrong is a result in our Error shape. */
export function defineMcpTool<Input extends z.ZodObject>(definition: Definition<Input>): McpTool {
  const { name, title, description, input, output, annotations, needsKey, run } = definition;
  const listed: Tool = {
    name,
    title,
    description,
    inputSchema: schemaOf(input, 'input'),
    outputSchema: { type: 'object', anyOf: [schemaOf(output, 'output'), REFUSAL] },
    annotations: { title, ...annotations },
  };
  return {
    listed,
    needsKey,
    async run(call, args, asked) {
      try {
        return await run(call, readArguments(input, args), asked);
      } catch (error) {
        return refusalOf(call, error);
      }
    },
  };
}
