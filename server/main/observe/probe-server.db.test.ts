import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { startProbeServer } from './probe-server';

const TOKEN = 'metrics-token-of-a-worker';

let harness: Harness;
let server: Server;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', env: { METRICS_TOKEN: TOKEN } });
  server = await startProbeServer(harness.runtime, 0, '127.0.0.1');
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await harness.close();
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);

it('serves liveness, readiness and metrics of a worker, and nothing else', async () => {
  expect(await (await ask('/healthz')).json()).toEqual({ status: 'ok' });
  await expect.poll(async () => (await ask('/readyz')).status).toBe(200);
  const ready = await ask('/readyz', { headers: { 'X-Request-Id': 'probe-7' } });
  expect([ready.status, ready.headers.get('x-request-id')]).toEqual([200, 'probe-7']);
  expect((await ask('/metrics')).status).toBe(401);
  const metrics = await ask('/metrics', { headers: { Authorization: `Bearer ${TOKEN}` } });
  expect(metrics.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await metrics.text()).toContain('gateway_running_calls 0');
  const other = await ask('/v1/tools');
  expect(other.status).toBe(404);
  expect(await other.json()).toMatchObject({ status: 'error', error: { code: 'NOT_FOUND' } });
  const post = await ask('/healthz', { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

it('reports a stopping worker as not ready at once', async () => {
  harness.runtime.observer.health.markStopping();
  const leaving = await ask('/readyz');
  expect([leaving.status, leaving.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await leaving.json()).error.message).toBe('This process is not ready: stopping.');
  expect((await ask('/healthz')).status).toBe(200);
});
