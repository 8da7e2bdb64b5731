import type { IncomingMessage, ServerResponse } from 'node:http';
import { startFakeSite } from './fake-site';

interface FakeTool {
  name: string;
  description?: string;
  inputSchema: object;
  outputSchema?: object;
  annotations?: object;
}

type Message = {
  id?: number;
  method: string;
  params?: { name?: string; arguments?: Record<string, unknown> };
};

/** A fake MCP server of the 2025 protocol; tests define its tools and responses. */
export interface FakeMcp {
  url: string;
  tools: FakeTool[];
  /** Handles tools/call: returns a result, or writes the response itself. */
  onCall: (
    message: Message,
    request: IncomingMessage,
    response: ServerResponse,
  ) => object | null | Promise<object | null>;
  /** If set, returns the result of tools/list. */
  onList: (() => Promise<object>) | null;
  /** If set, handles every request. */
  onRequest: ((request: IncomingMessage, response: ServerResponse) => void) | null;
  /** The received methods with their headers. */
  received: { method: string; headers: IncomingMessage['headers'] }[];
  close(): Promise<void>;
}

export const TEXT_TOOL: FakeTool = {
  name: 'shout',
  description: 'Says a text in capitals.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: true },
};

/** Starts a fake MCP server on 127.0.0.1; the caller closes it. */
export async function startFakeMcp(): Promise<FakeMcp> {
  const fake: Omit<FakeMcp, 'url' | 'close'> = {
    tools: [TEXT_TOOL],
    onList: null,
    onRequest: null,
    onCall: ({ params }) => ({
      content: [{ type: 'text', text: String(params?.arguments?.text).toUpperCase() }],
    }),
    received: [],
  };
  const twin = await startFakeSite((request, response) => void answer(fake, request, response));
  return Object.assign(fake, { url: `${twin.origin}/mcp`, close: twin.close });
}

async function answer(
  fake: Omit<FakeMcp, 'url' | 'close'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (fake.onRequest) return fake.onRequest(request, response);
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const message = JSON.parse(body) as Message;
  fake.received.push({ method: message.method, headers: request.headers });
  if (message.id === undefined) return void response.writeHead(202).end();
  const result = await getResult(fake, message, request, response);
  if (result === null) return;
  const error = { code: -32601, message: 'Method not found' };
  const said = { jsonrpc: '2.0', id: message.id, ...(result === undefined ? { error } : { result }) };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
}

async function getResult(
  fake: Omit<FakeMcp, 'url' | 'close'>,
  message: Message,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<object | null | undefined> {
  if (message.method === 'initialize')
    return {
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'fake', version: '1.0.0' },
    };
  if (message.method === 'tools/list') return fake.onList ? await fake.onList() : { tools: fake.tools };
  return message.method === 'tools/call' ? await fake.onCall(message, request, response) : undefined;
}
