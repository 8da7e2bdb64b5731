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

/** An MCP tool: its listing and its implementation. */
export interface McpTool {
  readonly listed: Tool;
  /** Without an API key, the result is AUTH_REQUIRED before anything runs. */
  readonly needsKey: boolean;
  /** With PAY_PER_CALL, a client without a key may pay for it. */
  readonly payable: boolean;
  /** @throws GatewayError becomes a result with `isError` */
  run(call: McpCall, args: unknown, asked: ServerContext): Promise<CallToolResult>;
}

/** One kind of resource: its URI template, listing and reader. */
export interface McpResources {
  readonly template: ResourceTemplateType;
  list(call: McpCall): Promise<Resource[]>;
  /**
   * @returns null for a URI of another kind
   * @throws GatewayError NOT_FOUND and others
   */
  read(call: McpCall, uri: string): Promise<ReadResourceResult | null>;
  /** Values of the template's variable that start with `prefix`. */
  complete?(call: McpCall, prefix: string): Promise<string[]>;
}

export interface McpPrompt {
  readonly listed: Prompt;
  /** @throws GatewayError INVALID_INPUT */
  get(call: McpCall, args: Readonly<Record<string, string>>): GetPromptResult;
}

/** Everything that an MCP server offers. */
export interface McpSurface {
  readonly tools: readonly McpTool[];
  readonly resources: readonly McpResources[];
  readonly prompts: readonly McpPrompt[];
  readonly instructions: (baseUrl: string) => string;
}
