import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { readSettings } from '../../platform/settings/settings';
import { createFront, type Front } from './front';

const fronts: Front[] = [];
afterEach(async () => {
  globalThis.__gateway = undefined;
  for (const front of fronts.splice(0)) {
    front.server.closeAllConnections();
    front.server.close();
  }
});

const settings = (env: Record<string, string>) => readSettings({ NODE_ENV: 'test', ...env });

async function openFront(port = '0') {
  const front = createFront(() => undefined);
  fronts.push(front);
  const bound = await front.listen(settings({ PORT: port }), true);
  return { front, port: bound, url: `http://127.0.0.1:${bound}` };
}

it('answers API paths itself and passes all others to Next', async () => {
  const { front, url } = await openFront();
  front.open(async (_req, res) => void res.end('next'));
  const answer = async (path: string) => (await fetch(url + path)).text();
  expect(await answer('/v1/tools')).toBe('next');
  globalThis.__gateway = { dispatch: (_req, res) => void res.end('front') };
  expect(await answer('/v1/tools?q=1')).toBe('front');
  expect(await answer('/')).toBe('next');
});

it('answers 503 until it is opened', async () => {
  const { url } = await openFront();
  const response = await fetch(`${url}/v1/tools`);
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('1');
  expect(await response.json()).toMatchObject({
    status: 'error',
    error: { code: 'UNAVAILABLE', retry_after: 1 },
  });
});

it('answers 500 if a handler throws, and keeps serving', async () => {
  const { front, url } = await openFront();
  front.open(async (req, res) => {
    if (req.url === '/bad') throw new Error('postgres://user:hunter2@host');
    res.end('fine');
  });
  const bad = await fetch(`${url}/bad`);
  expect(bad.status).toBe(500);
  expect(await bad.text()).not.toContain('hunter2');
  expect(await (await fetch(`${url}/good`)).text()).toBe('fine');
});

it('takes the next free port without PORT, and fails if the chosen one is in use', async () => {
  const { port } = await openFront();
  const front = createFront(() => undefined);
  fronts.push(front);
  const chosen = settings({ PORT: String(port) });
  await expect(front.listen(chosen, true)).rejects.toThrow(/in use by another program/);
  expect(await front.listen(chosen, false)).toBeGreaterThan(port);
});

it('disconnects incomplete headers within a minute, and answers non-HTTP with 400 @D7', async () => {
  const { front, port } = await openFront();
  expect(front.server.headersTimeout).toBeLessThan(60_000);
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write('garbage\r\n\r\n'));
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*"status":"error"/);
});

it('finishes running requests before it is drained, also on keep-alive connections', async () => {
  const { front, url } = await openFront();
  let asked = false;
  front.open(async (_req, res) => {
    asked = true;
    setTimeout(() => res.end('done'), 300);
  });
  const slow = fetch(url).then((response) => response.text());
  await expect.poll(() => asked, { interval: 5 }).toBe(true);
  await front.drain();
  expect(await slow).toBe('done');
  await expect(fetch(url)).rejects.toThrow();
});

it('lets a slow client read its complete response before it is drained', async () => {
  const { front, port } = await openFront();
  const size = 20_000_000;
  let answered = () => {};
  const ready = new Promise<void>((resolve) => {
    answered = resolve;
  });
  front.open(async (_req, res) => {
    res.end('x'.repeat(size));
    setTimeout(answered, 50);
  });
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await ready;
  const drained = front.drain();
  // Longer than a few sweeps of idle connections.
  await new Promise((resolve) => setTimeout(resolve, 300));
  let read = 0;
  socket.on('data', (chunk) => {
    read += chunk.length;
  });
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  await drained;
  expect(read).toBeGreaterThan(size);
});

it('serves open connections on while it hands over, and ends them with their next response', async () => {
  const { front, port, url } = await openFront();
  let finish: (() => void) | undefined;
  front.open(async (req, res) => {
    if (req.url === '/slow')
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
    res.end('fine');
  });
  const agent = new Agent({ keepAlive: true });
  const ask = (path: string) =>
    new Promise<string>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, agent }, (response) => {
        response.resume().once('end', () => resolve(`${response.statusCode} ${response.headers.connection}`));
      }).once('error', reject);
    });
  const slow = ask('/slow');
  await expect.poll(() => finish).toBeDefined();
  expect(await ask('/')).toBe('200 keep-alive');
  let isDone = false;
  const handedOver = front.handOver(600_000).then(() => {
    isDone = true;
  });
  expect(await ask('/')).toBe('200 close');
  await expect(fetch(url)).rejects.toThrow();
  expect(isDone).toBe(false);
  finish?.();
  expect(await slow).toBe('200 close');
  await handedOver;
  await front.drain();
  agent.destroy();
});

it('is drained after the time for a handover is over', async () => {
  const { front, port } = await openFront();
  front.open(async (_req, res) => void res.end('fine'));
  const idle = connect(port, '127.0.0.1');
  const closed = new Promise((resolve) => idle.once('close', resolve));
  await new Promise((resolve) => idle.once('connect', resolve));
  await front.handOver(1);
  await front.drain();
  await closed;
});

it('is drained at once if clients only hold connections without requests', async () => {
  const { front, port } = await openFront();
  const socket = connect(port, '127.0.0.1');
  const ended = new Promise((resolve) => socket.once('close', resolve));
  await new Promise((resolve) => front.server.once('connection', resolve));
  await front.drain();
  await ended;
});
