import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { type FakeSite, startFakeSite } from '@/test/support/fake-site';
import { watchUncaught } from '@/test/support/uncaught';
import { isSkillError } from '../../../core/errors/skill-error';
import { connectMcpHttp, connectMcpStdio, type McpConnection } from '../mcp-upstream';
import { answerTo } from './mcp-hostile.fixture.mjs';

const PROGRAM = fileURLToPath(new URL('./mcp-hostile.fixture.mjs', import.meta.url));
/** How long to wait for a response. */
const PATIENCE_MS = 1_500;

/** Transport to the hostile server; resumed events answer a call whose first stream has ended. */
export type Way = 'as JSON' | 'as events' | 'as resumed events' | 'from a program';
const PATHS = { 'as JSON': 'json', 'as events': 'events', 'as resumed events': 'resumed' } as const;

/** A hostile MCP server over HTTP and as a program; each connection chooses the frames it sends. */
export interface HostileMcp {
  /** Number of responses to its own requests that the server received; tests may reset it. */
  replies: number;
  readonly uncaught: readonly unknown[];
  /** Connects and makes one call. @returns the result, or the error */
  callOnce(way: Way, frames: string, patienceMs?: number): Promise<unknown>;
  /** Makes one call per frame, `atOnce` in parallel, and expects each to end properly. */
  expectProperEnds(way: Way, frames: readonly string[], atOnce: number): Promise<void>;
  close(): Promise<void>;
}

const ignore = () => undefined;

/** Describes an outcome: the error message, or `answered`. */
export const describeOutcome = (end: unknown) => (end instanceof Error ? end.message : 'answered');

export async function startHostileMcp(): Promise<HostileMcp> {
  const uncaught = watchUncaught();
  const site = await startSite(() => {
    mcp.replies += 1;
  });
  const mcp: HostileMcp = {
    replies: 0,
    uncaught: uncaught.errors,
    async callOnce(way, frames, patienceMs = PATIENCE_MS) {
      const signal = AbortSignal.timeout(patienceMs);
      const connection = await connect(site, way, frames);
      try {
        return await connection.call({
          name: 't',
          arguments: {},
          inputSchema: { type: 'object' },
          signal,
          onProgress({ message }) {
            if (message === 'raise') throw new Error('Raised by the progress listener');
          },
        });
      } catch (error) {
        return error;
      } finally {
        await connection.close();
      }
    },
    async expectProperEnds(way, frames, atOnce) {
      for (let at = 0; at < frames.length; at += atOnce) {
        const group = frames.slice(at, at + atOnce);
        const ends = await Promise.all(group.map((name) => mcp.callOnce(way, name)));
        for (const [index, end] of ends.entries()) {
          const isTimeout = end instanceof Error && end.name === 'TimeoutError';
          const isProper = !(end instanceof Error) || isSkillError(end) || isTimeout;
          expect(isProper, `${group[index]}: ${describeOutcome(end)}`).toBe(true);
        }
      }
    },
    async close() {
      uncaught.stop();
      await site.close();
    },
  };
  return mcp;
}

/** @param onReply called for each response to a request of the server */
async function startSite(onReply: () => void): Promise<FakeSite> {
  const emptied = new Set<string>();
  return await startFakeSite((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const name = searchParams.get('frames') ?? '';
      if (request.method !== 'POST') {
        const id = request.headers['last-event-id'];
        const frames = id === undefined ? [] : answerTo({ id: Number(id), method: 'tools/call' }, name);
        if (frames.length === 0) return void response.writeHead(404).end();
        // The first stream that resumes a call is empty.
        const isSecond = emptied.delete(name);
        if (!isSecond) emptied.add(name);
        return sendEvents(response, isSecond ? frames : [], id);
      }
      const message = JSON.parse(body);
      if (!('method' in message)) onReply();
      if (pathname === '/resumed' && message.method === 'tools/call')
        return void response
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(`id: ${message.id}\nretry: 1\ndata:\n\n`);
      const frames = answerTo(message, name);
      if (frames.length === 0) return void response.writeHead(202).end();
      const [only] = frames;
      if (pathname === '/json')
        return void response.writeHead(200, { 'content-type': 'application/json' }).end(only);
      sendEvents(response, frames);
    });
  });
}

/** @param id of the events; the default is not a valid one */
function sendEvents(response: ServerResponse, frames: readonly string[], id: unknown = '"\0'): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const frame of frames) response.write(`id: ${id}\nretry: 1\n: {[\nevent: message\ndata: ${frame}\n\n`);
  response.end();
}

async function connect(site: FakeSite, way: Way, frames: string): Promise<McpConnection> {
  if (way === 'from a program')
    return await connectMcpStdio({
      command: process.execPath,
      args: [PROGRAM, frames],
      cwd: '/',
      env: {},
      era: null,
      onStderr: () => {
        if (frames === 'fine') throw new Error('Raised by the standard error listener');
      },
      onClose: ignore,
      onToolsChanged: ignore,
    });
  const url = `${site.origin}/${PATHS[way]}?frames=${encodeURIComponent(frames)}`;
  return await connectMcpHttp({ url, fetch, era: null });
}
