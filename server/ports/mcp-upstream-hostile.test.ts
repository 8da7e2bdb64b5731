import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type SiteTwin, startSiteTwin } from '../testing/site-twin';
import { watchUncaught } from '../testing/uncaught';
import { isSkillError } from '../tools/define-tool';
import { answerTo, FRAMES } from './mcp-hostile.fixture.mjs';
import { connectMcpHttp, connectMcpStdio, type McpConnection } from './mcp-upstream';

const PROGRAM = fileURLToPath(new URL('./mcp-hostile.fixture.mjs', import.meta.url));
/** A server whose answer never comes is left after this. */
const PATIENCE_MS = 1_500;
/** For servers that are refused before that, however slow the machine is. */
const LONG_MS = 30_000;

let site: SiteTwin;
let uncaught: ReturnType<typeof watchUncaught>;
/** Answers to requests of the server that have reached it. */
let replies = 0;

beforeAll(async () => {
  uncaught = watchUncaught();
  site = await startSiteTwin((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const message = JSON.parse(body);
      if (!('method' in message)) replies += 1;
      const frames = answerTo(message, searchParams.get('frames') ?? '');
      if (frames.length === 0) return void response.writeHead(202).end();
      const [only] = frames;
      if (pathname === '/json')
        return void response.writeHead(200, { 'content-type': 'application/json' }).end(only);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const frame of frames)
        response.write(`id: "\0\nretry: 1\n: {[\nevent: message\ndata: ${frame}\n\n`);
      response.end();
    });
  });
});
afterAll(async () => {
  uncaught.stop();
  await site.close();
});

const ignore = () => undefined;
const sayEnd = (end: unknown) => (end instanceof Error ? end.message : 'answered');
const ways: Record<string, (frames: string) => Promise<McpConnection>> = {
  'as JSON': (frames) =>
    connectMcpHttp({ url: `${site.origin}/json?frames=${encodeURIComponent(frames)}`, fetch, era: null }),
  'as events': (frames) =>
    connectMcpHttp({ url: `${site.origin}/events?frames=${encodeURIComponent(frames)}`, fetch, era: null }),
  'from a program': (frames) =>
    connectMcpStdio({
      command: process.execPath,
      args: [PROGRAM, frames],
      cwd: '/',
      env: {},
      era: null,
      onStderr: () => {
        if (frames === 'fine') throw new Error('Raised by the listener of standard error');
      },
      onClose: ignore,
      onToolsChanged: ignore,
    }),
};

/** One connection and one call: how it ended. */
async function callOnce(
  connect: (frames: string) => Promise<McpConnection>,
  frames: string,
  patienceMs = PATIENCE_MS,
): Promise<unknown> {
  const signal = AbortSignal.timeout(patienceMs);
  const connection = await connect(frames);
  try {
    return await connection.call({
      name: 't',
      arguments: {},
      inputSchema: { type: 'object' },
      signal,
      onProgress({ message }) {
        if (message === 'raise') throw new Error('Raised by the listener of progress');
      },
    });
  } catch (error) {
    return error;
  } finally {
    await connection.close();
  }
}

it.each(Object.entries(ways))(
  'a hostile MCP server fails only the call it answers, %s',
  async (_, connect) => {
    const names = Object.keys(FRAMES);
    for (let at = 0; at < names.length; at += 4) {
      const group = names.slice(at, at + 4);
      const ends = await Promise.all(group.map((name) => callOnce(connect, name)));
      for (const [index, end] of ends.entries()) {
        const isTimeout = end instanceof Error && end.name === 'TimeoutError';
        const isProper = !(end instanceof Error) || isSkillError(end) || isTimeout;
        expect(isProper, `${group[index]}: ${sayEnd(end)}`).toBe(true);
      }
    }
    expect(uncaught.errors).toEqual([]);
  },
);

it.each(Object.entries(ways))(
  'JSON of 100,000 levels is refused before it is walked, %s',
  async (_, connect) => {
    for (const name of Object.keys(FRAMES).filter((each) => each.startsWith('deep '))) {
      const end = await callOnce(connect, name);
      expect(sayEnd(end), name).toContain('JSON of more than 1000 levels');
    }
    expect(uncaught.errors).toEqual([]);
  },
);

it.each(Object.entries(ways).slice(1))(
  'a server that floods the gateway loses its connection, %s',
  async (_, connect) => {
    const floods = {
      'a flood of requests': 'requests faster than it takes their answers',
      'a flood of notifications': 'more than 5000 messages',
    };
    for (const [name, problem] of Object.entries(floods)) {
      replies = 0;
      const end = await callOnce(connect, name, LONG_MS);
      expect(sayEnd(end), name).toContain(problem);
      expect(replies).toBeLessThanOrEqual(8);
    }
  },
);

it.each(Object.entries(ways))(
  'an answer larger than any output is refused before it is parsed, %s',
  async (_, connect) => {
    const sizes = {
      'very many values': 'more than 200000 values',
      'a very large message': 'more than 8 MiB',
    };
    for (const [name, problem] of Object.entries(sizes)) {
      const parse = vi.spyOn(JSON, 'parse');
      const end = await callOnce(connect, name, LONG_MS);
      const longest = Math.max(...parse.mock.calls.map(([text]) => String(text).length));
      parse.mockRestore();
      expect(sayEnd(end), name).toContain(problem);
      expect(longest).toBeLessThan(100_000);
    }
  },
);
