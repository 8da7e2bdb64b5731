import type {
  CallToolResult,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplateType,
  ServerContext,
  Tool,
} from '@modelcontextprotocol/server';
import type { McpCall } from './mcp-call';

/** One tool of MCP: how it is listed, and what it does. */
export interface McpTool {
  readonly listed: Tool;
  /** Without an API key the request is answered 401 before anything runs. */
  readonly needsKey: boolean;
  /** @throws GatewayError the refusal, told as a result with `isError` */
  run(call: McpCall, args: unknown, asked: ServerContext): Promise<CallToolResult>;
}

/** Resources of one kind: a template of addresses, those that are listed, and how one is read. */
export interface McpResources {
  readonly template: ResourceTemplateType;
  list(call: McpCall): Promise<Resource[]>;
  /** Null: the address is none of this kind. @throws GatewayError NOT_FOUND and other refusals */
  read(call: McpCall, uri: string): Promise<ReadResourceResult | null>;
  /** Values of the template's variable that begin so. */
  complete?(call: McpCall, begun: string): Promise<string[]>;
}

export interface McpPrompt {
  readonly listed: Prompt;
  /** @throws GatewayError INVALID_INPUT */
  get(call: McpCall, args: Readonly<Record<string, string>>): GetPromptResult;
}

/** All that a server of MCP offers. */
export interface McpSurface {
  readonly tools: readonly McpTool[];
  readonly resources: readonly McpResources[];
  readonly prompts: readonly McpPrompt[];
  readonly instructions: (baseUrl: string) => string;
}
