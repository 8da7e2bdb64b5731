import {
  type CallToolResult,
  ProtocolError,
  type ServerContext,
  type Tool,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { nameSkills } from '../../calls/prepare/name-skills';
import type { GatewayError } from '../../core/errors/gateway-error';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import type { McpCall } from './mcp-call';
import type { McpTool } from './surface';
import { buildErrorResult, readArguments } from './tool-result';
import { toJsonSchema } from './tool-schema';

interface Definition<Input extends z.ZodObject> {
  name: string;
  title: string;
  /** For a model: what the tool does, when to use it, and what to do next. */
  description: string;
  input: Input;
  annotations: ToolAnnotations;
  needsKey: boolean;
  payable?: boolean;
  /** Called with invalid arguments, which never reach a procedure. */
  onInvalid?(call: McpCall, args: unknown, error: GatewayError): void;
  /** An error becomes a result with `isError`, unless the protocol has one for it. */
  run(call: McpCall, args: z.infer<Input>, asked: ServerContext): Promise<CallToolResult>;
}

/**
 * Defines an MCP tool. Its schema validates the arguments; every failure becomes a result in our
 * Error shape. Listed without output schema: 27 kB that models do not see (decision 0079).
 */
export function defineMcpTool<Input extends z.ZodObject>(definition: Definition<Input>): McpTool {
  const {
    name,
    title,
    description,
    input,
    annotations,
    needsKey,
    payable = false,
    onInvalid,
    run,
  } = definition;
  const listed: Tool = {
    name,
    title,
    description,
    inputSchema: toJsonSchema(input),
    annotations,
  };
  return {
    listed,
    needsKey,
    payable,
    async run(call, args, asked) {
      try {
        return await run(call, readArguments(input, args), asked);
      } catch (error) {
        if (error instanceof ProtocolError) throw error;
        const named = nameSkills(call.runtime.tools, args, toGatewayError(error));
        onInvalid?.(call, args, named);
        return buildErrorResult(call, named);
      }
    },
  };
}
