import type { ServerResponse } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { openSocket } from '@/test/support/raw-socket';
import { readSettings } from '../../platform/settings/settings';
import { createFront, type Front } from './front';
import { openPages } from './pages';
import { PAGE_LIMITS, ROUTE_LIMITS } from './render-queue';

const fronts: Front[] = [];
afterEach(() => {
  globalThis.__gateway = undefined;
  for (const front of fronts.splice(0)) {
    front.server.closeAllConnections();
    front.server.close();
  }
});

/** Creates the front with a fake Next whose pages complete on demand. */
async function openGateway(maxMs = 60_000) {
  const rendering: { url: string; res: ServerResponse; complete: () => void }[] = [];
  const front = createFront(() => undefined);
  fronts.push(front);
  const settings = readSettings({ NODE_ENV: 'test', PORT: '0' });
  const port = await front.listen(settings, true);
  const seen = { requests: 0, closed: 0 };
  front.server.on('connection', (socket) => {
    socket.once('close', () => {
      seen.closed += 1;
    });
  });
  front.server.on('request', () => {
    seen.requests += 1;
  });
  globalThis.__gateway = { dispatch: (_req, res) => void res.end('healthy') };
  const next = (req: { url?: string | undefined }, res: ServerResponse) =>
    new Promise<void>((resolve) => {
      const complete = () => {
        res.end('page');
        resolve();
      };
      rendering.push({ url: req.url ?? '', res, complete });
    });
  front.open(
    await openPages({
      ...settings,
      root: '/nowhere',
      dev: false,
      baseUrl: 'http://x',
      trustedProxyHops: 1,
      next,
      pageLimits: { ...PAGE_LIMITS, maxMs },
      routeLimits: { ...ROUTE_LIMITS, maxMs },
    }),
  );
  const ask = async (path: string, client: string) => {
    const headers = { 'x-forwarded-for': client };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  const completeAll = async (count: number) => {
    for (let at = 0; at < count; at += 1) {
      await expect.poll(() => rendering.length).toBeGreaterThan(0);
      expect(rendering.length).toBeLessThanOrEqual(2);
      rendering.shift()?.complete();
    }
  };
  return { port, seen, rendering, ask, completeAll };
}

it('renders two of forty pages of one network at once, and answers others in the meantime @F5', async () => {
  const { rendering, ask, completeAll } = await openGateway();
  const pages = Promise.all(Array.from({ length: 40 }, () => ask('/docs/api', '192.0.2.1')));
  await expect.poll(() => rendering.length).toBe(2);
  expect((await ask('/healthz', '192.0.2.1')).text).toBe('healthy');
  const other = ask('/docs', '192.0.2.2');
  await expect.poll(() => rendering.length).toBe(3);
  expect(rendering[2]?.url).toBe('/docs');
  rendering.pop()?.complete();
  expect((await other).text).toBe('page');
  expect(rendering).toHaveLength(2);
  await completeAll(40);
  expect((await pages).map(({ status }) => status)).toEqual(Array(40).fill(200));
});

it('answers thirty requests to routes of one network at once, next to its pages', async () => {
  const { rendering, ask } = await openGateway();
  const routes = Promise.all(Array.from({ length: 35 }, () => ask('/api/live', '192.0.2.1')));
  await expect.poll(() => rendering.length).toBe(30);
  const page = ask('/docs', '192.0.2.1');
  await expect.poll(() => rendering.length).toBe(31);
  rendering.pop()?.complete();
  expect((await page).text).toBe('page');
  for (let at = 0; at < 35; at += 1) {
    await expect.poll(() => rendering.length).toBeGreaterThan(0);
    expect(rendering.length).toBeLessThanOrEqual(30);
    rendering.shift()?.complete();
  }
  expect((await routes).map(({ status }) => status)).toEqual(Array(35).fill(200));
});

it('queues at most a hundred pages per network, and skips those of disconnected clients @F5', async () => {
  const { port, seen, rendering, ask, completeAll } = await openGateway();
  const first = [ask('/docs', '192.0.2.1'), ask('/docs', '192.0.2.1')];
  await expect.poll(() => rendering.length).toBe(2);
  const clients = await Promise.all(Array.from({ length: 100 }, () => openSocket(port)));
  for (const client of clients)
    client.write('GET /docs HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n');
  await expect.poll(() => seen.requests).toBe(102);
  const refused = await ask('/docs', '192.0.2.1');
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('1');
  for (const client of clients) client.destroy();
  await expect.poll(() => seen.closed).toBe(100);
  const last = ask('/docs', '192.0.2.1');
  await completeAll(3);
  for (const answer of [...first, last]) expect((await answer).status).toBe(200);
});

it('frees the place of a page that waits for its reader or the database', async () => {
  const { rendering, ask } = await openGateway(50);
  const pages = Promise.all(Array.from({ length: 3 }, () => ask('/docs', '192.0.2.1')));
  await expect.poll(() => rendering.length).toBe(3);
  for (const { complete } of rendering) complete();
  expect((await pages).map(({ status }) => status)).toEqual([200, 200, 200]);
});
