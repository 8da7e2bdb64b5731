import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { EVERYTHING } from './everything-server';

/** The official clients for 2026-07-28, for 2025-11-25, and v1, which most programs still use. */
export const MCP_CLIENTS = ['2026-07-28', '2025-11-25', 'v1'] as const;
export type McpClientKind = (typeof MCP_CLIENTS)[number];

interface ProgressUpdate {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

interface CallOptions {
  onprogress?: (update: ProgressUpdate) => void;
  signal?: AbortSignal;
  timeout?: number;
}

/** The common interface of the clients. */
export interface McpClient {
  /** @param meta entries of `_meta`, in addition to the client's own */
  callTool(
    name: string,
    args: Record<string, unknown>,
    meta?: Record<string, unknown>,
    options?: CallOptions,
  ): Promise<McpResult>;
  readonly client: Pick<
    Client,
    | 'listTools'
    | 'listResources'
    | 'listResourceTemplates'
    | 'readResource'
    | 'listPrompts'
    | 'getPrompt'
    | 'complete'
    | 'getInstructions'
    | 'getServerVersion'
  >;
  close(): Promise<void>;
}

export type McpResult = Pick<CallToolResult, 'content' | '_meta'> & {
  isError?: boolean | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests read results of every shape
  structuredContent: any;
};

/** Parses the text of a result without structured content, and proves that it is sent once. */
// biome-ignore lint/suspicious/noExplicitAny: tests read results of every shape
export function readText({ content, structuredContent }: McpResult): any {
  const [block] = content;
  if (structuredContent !== undefined || block?.type !== 'text') throw new Error('The result is not a text');
  return JSON.parse(block.text);
}

const IDENTITY = { name: 'test', version: '1.0.0' };

/** Connects a client; the caller closes it. */
export async function connectMcp(baseUrl: string, kind: McpClientKind, key?: string): Promise<McpClient> {
  const url = new URL(`${baseUrl}/mcp`);
  const requestInit = key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } };
  if (kind === 'v1') return await connectV1(url, requestInit);
  const mode = kind === '2025-11-25' ? 'legacy' : { pin: kind };
  const client = new Client(IDENTITY, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return {
    client,
    callTool: async (name, args, meta, options) =>
      (await client.callTool(
        { name, arguments: args, ...(meta ? { _meta: meta } : {}) },
        options,
      )) as McpResult,
    close: () => client.close(),
  };
}

/** Connects with the v1 SDK, a dependency of the reference server; it has the same interface. */
async function connectV1(url: URL, requestInit: RequestInit): Promise<McpClient> {
  const theirs = createRequire(EVERYTHING);
  const load = async (path: string) =>
    await import(pathToFileURL(theirs.resolve(`@modelcontextprotocol/sdk/client/${path}`)).href);
  const { Client: ClientV1 } = await load('index.js');
  const { StreamableHTTPClientTransport: TransportV1 } = await load('streamableHttp.js');
  const client = new ClientV1(IDENTITY);
  await client.connect(new TransportV1(url, { requestInit }));
  return {
    client,
    callTool: async (name, args, meta, options) =>
      await client.callTool({ name, arguments: args, ...(meta ? { _meta: meta } : {}) }, undefined, options),
    close: () => client.close(),
  };
}
