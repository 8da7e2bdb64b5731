import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { PROVIDER_NAMES, PROVIDERS, type ProviderName } from '@/server/platform/settings/providers';
import { createProviderClient } from '@/server/tools/sdk/provider-client';
import type { ProviderClient } from '@/server/tools/sdk/skill-context';
import { createTestServer } from '../test-server';
import { BadRequest, type ProviderFake, type StubAnswer, type StubRequest } from './exchange';
import { FakeImages } from './images';
import { anthropic, elevenlabs, openai } from './models';
import { brave, exa, firecrawl, resend, tavily } from './web';

/** Behaviours that a key, or `[stub:…]` in the input, selects for every fake provider. */
export const BEHAVIOURS = [
  '402',
  '429',
  '429-once',
  '500',
  '500-once',
  'slow',
  'cut',
  'garbage',
  'shape',
  'huge',
];
/** Delay of the `slow` behaviour. */
const SLOW_MS = 60_000;
const MAX_BODY_BYTES = 40 * 1024 * 1024;
const RETRY_AFTER_SECONDS = '1';

/** A request received by the stub. */
export interface Received {
  readonly slot: string;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Ten fake providers on one port of this machine. */
export interface ProviderStub {
  baseUrl(slot: ProviderName): string;
  /** Returns a valid key, optionally one that selects a behaviour; every other key is rejected. */
  key(slot: ProviderName, behaviour?: string): string;
  /** Creates a client of a provider that uses the global fetch. */
  client(slot: ProviderName, behaviour?: string): ProviderClient;
  /** Settings for a gateway that uses the stub. */
  env(): Record<string, string>;
  readonly received: Received[];
  readonly images: FakeImages;
  close(): Promise<void>;
}

/** Starts the stub on loopback; port 0 selects a free port. */
export async function startProviderStub(port = 0): Promise<ProviderStub> {
  const house = new StubRouter();
  const server = createTestServer((request, response) => {
    house.serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  house.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const baseUrl = (slot: ProviderName) => `${house.origin}/${slot}`;
  const key = (slot: ProviderName, behaviour = 'ok') => `stub-${slot}-${behaviour}-key`;
  return {
    baseUrl,
    key,
    client: (slot, behaviour) =>
      createProviderClient({
        slot,
        authorize: PROVIDERS[slot].authorize,
        baseUrl: baseUrl(slot),
        key: key(slot, behaviour),
        isByok: true,
        fetch,
      }),
    env: () =>
      Object.fromEntries(
        PROVIDER_NAMES.flatMap((slot) => [
          [`${slot.toUpperCase()}_BASE_URL`, baseUrl(slot)],
          [`${slot.toUpperCase()}_API_KEY`, key(slot)],
        ]),
      ),
    received: house.received,
    images: house.images,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Routes requests to the fake providers, checks keys and applies behaviours. */
class StubRouter {
  origin = '';
  readonly received: Received[] = [];
  readonly images = new FakeImages();
  readonly #seen = new Map<string, number>();
  readonly #providers: Record<ProviderName, ProviderFake> = {
    openai,
    anthropic,
    tavily,
    brave,
    exa,
    fal: this.images.fal,
    replicate: this.images.replicate,
    elevenlabs,
    firecrawl,
    resend,
  };

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    const [, slot = '', ...rest] = url.pathname.split('/');
    if (slot === 'files') return await serveFile(response, rest.join('/'));
    const body = await readBody(request);
    const { method = 'GET', headers } = request;
    const path = `/${rest.join('/')}`;
    this.received.push({ slot, method, path, headers, body });
    const player = Object.hasOwn(this.#providers, slot) ? this.#providers[slot as ProviderName] : undefined;
    if (!player) return send(response, { status: 404, body: 'No such provider' });
    const key = player.readKey(headers);
    const inKey = new RegExp(`^stub-${slot}-([a-z0-9-]+)-key$`).exec(key ?? '')?.[1];
    if (!inKey)
      return send(response, { status: 401, body: player.error(401, `Incorrect API key provided: ${key}`) });
    const input = `${decodeURIComponent(url.search)}${body.toString('latin1')}`;
    const behaviour = inKey === 'ok' ? (/\[stub:([a-z0-9-]+)\]/.exec(input)?.[1] ?? 'ok') : inKey;
    const seen = this.#count(`${slot} ${key} ${behaviour}`);
    if (await misbehave(response, player, behaviour, seen)) return;
    const filesUrl = `${this.origin}/files`;
    const asked = { method, path, query: url.searchParams, headers, body, behaviour, seen, filesUrl };
    send(response, getAnswer(player, asked));
  }

  /** Counts a request. @returns the number of earlier ones */
  #count(name: string): number {
    const before = this.#seen.get(name) ?? 0;
    this.#seen.set(name, before + 1);
    return before;
  }
}

function getAnswer(player: ProviderFake, request: StubRequest): StubAnswer {
  try {
    return player.answer(request);
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    return { status: 400, body: player.error(400, error.message) };
  }
}

/** Handles the behaviours common to all providers. @returns whether it did */
async function misbehave(
  response: ServerResponse,
  player: ProviderFake,
  behaviour: string,
  before: number,
): Promise<boolean> {
  const once = behaviour.endsWith('-once');
  if (once && before > 0) return false;
  const error = (status: number, message: string, headers = {}) =>
    send(response, { status, headers, body: player.error(status, message) });
  switch (once ? behaviour.slice(0, -'-once'.length) : behaviour) {
    case '402':
      error(402, 'Payment required');
      return true;
    case '429':
      error(429, 'Rate limit reached', { 'retry-after': RETRY_AFTER_SECONDS });
      return true;
    case '500':
      error(500, 'Internal error at /srv/app.py with key sk-live-0123456789abcdef');
      return true;
    case 'slow':
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, SLOW_MS);
        response.on('close', () => {
          clearTimeout(timer);
          resolve(undefined);
        });
      });
      return response.destroyed;
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': '1000' });
      response.write('{"choices": [');
      setTimeout(() => response.destroy(), 20);
      return true;
    case 'garbage':
      send(response, { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Gateway</html>' });
      return true;
    case 'shape':
      send(response, { status: 200, body: { hello: ['world'] } });
      return true;
    case 'huge':
      send(response, {
        status: 200,
        headers: { 'content-type': 'audio/mpeg' },
        body: Buffer.alloc(30 * 1024 * 1024, 'x'),
      });
      return true;
    default:
      return false;
  }
}

function send(response: ServerResponse, { status, headers = {}, body }: StubAnswer): void {
  const raw = typeof body === 'string' || Buffer.isBuffer(body);
  response.writeHead(status, { 'content-type': raw ? 'text/plain' : 'application/json', ...headers });
  response.end(raw ? body : JSON.stringify(body));
}

async function serveFile(response: ServerResponse, name: string): Promise<void> {
  const bytes = await readFile(join('server/assets/samples', basename(name)));
  send(response, { status: 200, headers: { 'content-type': 'image/png' }, body: bytes });
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('The body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
