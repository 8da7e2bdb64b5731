import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Harness, startHarness } from '@/test/support/harness';
import { defineTestSkill, defineTestTool } from '@/test/support/test-tool';
import { FaultProxy } from '../../../test/system/fixtures/fault-proxy';

/** Far longer than the test takes; it passes only on the fake clock. */
const LEASE_SECONDS = 120;

let passedMs = 0;
/**
 * Advances the intervals of the worker that is cut off. Other gateways of this process must not see
 * it: their database watchdogs would close connections in use.
 */
function passTime(ms: number): void {
  passedMs += ms;
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + passedMs);
  vi.advanceTimersByTime(ms);
  clock.mockRestore();
}

/** Starts and ends of handlers, in order. */
const seen: string[] = [];
let released = false;
let running = 0;
let most = 0;

const tool = defineTestTool('slow', [
  defineTestSkill({
    name: 'work',
    input: z.object({}),
    output: z.object({ done: z.boolean() }),
    annotations: { estimatedSeconds: 60 },
    async run({ signal }) {
      seen.push('begin');
      most = Math.max(most, ++running);
      try {
        while (!released) await wait(20, undefined, { signal });
        return { output: { done: true } };
      } finally {
        running--;
        seen.push(signal.aborted ? 'stopped' : 'done');
      }
    },
  }),
]);

let web: Harness;
let cutOff: Harness;
let proxy: FaultProxy;

beforeAll(async () => {
  web = await startHarness({
    role: 'web',
    tools: [tool],
    env: { JOBS: 'external', LEASE_SECONDS: String(LEASE_SECONDS) },
  });
  const url = web.runtime.settings.databaseUrl;
  proxy = await FaultProxy.start({ port: Number(new URL(url).port) });
  const env = { DATABASE_URL: proxy.through(url), LEASE_SECONDS: String(LEASE_SECONDS) };
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  cutOff = await startHarness({ role: 'web', peer: web, tools: [tool], env });
});

afterAll(async () => {
  vi.useRealTimers();
  await proxy.pass();
  await cutOff.close();
  await proxy.stop();
  await web.close();
});

it('a worker that cannot renew its lease stops the handler before another worker starts it @E8', async () => {
  const { key, keyId } = await web.person();
  const json = { tool: 'slow', skill: 'work', input: {} };
  const { body } = await web.request('POST', '/v1/tools/call', { key, json, headers: { prefer: 'wait=0' } });
  await expect.poll(() => seen).toEqual(['begin']);
  proxy.hang();
  passTime(LEASE_SECONDS * 1_000 * (5 / 6) - 60_000);
  expect(seen).toEqual(['begin']);
  passTime(61_000);
  await expect.poll(() => seen).toEqual(['begin', 'stopped']);
  const [left] = await web.runtime.sql`
    select lease_expires_at > clock_timestamp() as leased from calls where id = ${body.id}`;
  expect(left).toEqual({ leased: true });
  vi.useRealTimers();
  await web.runtime.sql`update calls set lease_expires_at = clock_timestamp() where id = ${body.id}`;
  const other = await startHarness({
    role: 'web',
    peer: web,
    tools: [tool],
    env: { LEASE_SECONDS: String(LEASE_SECONDS) },
  });
  try {
    await expect.poll(() => seen).toEqual(['begin', 'stopped', 'begin']);
    await proxy.pass();
    released = true;
    const poll = async () =>
      (await web.request('GET', body.poll_url, { key, headers: { prefer: 'wait=5' } })).body;
    await expect.poll(async () => (await poll()).status).toBe('completed');
  } finally {
    await other.close();
  }
  expect([seen.length, most]).toEqual([4, 1]);
  const [row] = await web.runtime.sql`select running, (select count(*)::int from calls) as calls
    from api_keys where id = ${keyId}`;
  expect(row).toEqual({ running: 0, calls: 0 });
});
