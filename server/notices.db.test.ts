import { afterAll, beforeAll, expect, it } from 'vitest';
import { FaultProxy } from '../test/system/fixtures/fault-proxy';
import { type Harness, startHarness } from './testing/harness';

let base: Harness;
let harness: Harness;
let proxy: FaultProxy;

beforeAll(async () => {
  base = await startHarness({ role: 'command' });
  const url = base.runtime.settings.databaseUrl;
  proxy = await FaultProxy.start({ port: Number(new URL(url).port) });
  // Its worker would say what it misses, which is not asked here.
  harness = await startHarness({ beside: base, env: { DATABASE_URL: proxy.through(url), JOBS: 'external' } });
});

afterAll(async () => {
  await proxy.pass();
  await harness.close();
  await proxy.stop();
  await base.close();
});

/** Milliseconds until somebody who waits is told, by a notice that another process sends. */
async function toldAfter(topic: `key:${string}`): Promise<number> {
  let told: number | undefined;
  const off = harness.runtime.notices.on(topic, (missed) => {
    if (!missed) told ??= performance.now();
  });
  const begun = performance.now();
  try {
    await expect
      .poll(
        async () => {
          await base.runtime.sql`select pg_notify('gateway', ${topic})`;
          return told;
        },
        { timeout: 40_000, interval: 200 },
      )
      .toBeDefined();
  } finally {
    off();
  }
  return (told ?? 0) - begun;
}

it('listens again within 15 s where its connection became a black hole, was reset, or the database was away', {
  timeout: 180_000,
}, async () => {
  await toldAfter('key:before');
  proxy.blackhole();
  expect(await toldAfter('key:black hole')).toBeLessThan(15_000 + 5_000);
  proxy.reset();
  expect(await toldAfter('key:reset')).toBeLessThan(15_000);
  proxy.hang();
  await new Promise((done) => setTimeout(done, 14_000));
  await proxy.pass();
  expect(await toldAfter('key:hang')).toBeLessThan(15_000);
  await proxy.refuse();
  await new Promise((done) => setTimeout(done, 5_000));
  await proxy.pass();
  expect(await toldAfter('key:refused')).toBeLessThan(15_000);
});
