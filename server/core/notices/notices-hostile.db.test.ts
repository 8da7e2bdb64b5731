import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { watchUncaught } from '@/test/support/uncaught';

const probe = createProbe();
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', tools: [probe.tool] });
});
afterAll(() => harness.close());

const PAYLOADS = [
  '',
  ' ',
  'null',
  '__proto__',
  'constructor',
  'call:',
  'log:__proto__',
  'cancel:\u{1F600}',
  'pulse:',
  '{"r":{},"count":"x"}',
  '{"r":null,"count":1e999}',
  `${'['.repeat(3_900)}${']'.repeat(3_900)}`,
  'x'.repeat(7_900),
  '\\x00\r\n\t\u0001',
];

it('delivers notifications despite malformed payloads and throwing listeners @F15', async () => {
  const uncaught = watchUncaught();
  const { notices, sql } = harness.runtime;
  let heard = 0;
  const fail = () => {
    throw new Error('Thrown by a listener');
  };
  const offs = [
    notices.on('key:x', fail),
    notices.on('key:x', () => {
      heard += 1;
    }),
    notices.on('tools', fail),
    notices.on('money', fail),
  ];
  const [before] = await sql`select pg_postmaster_start_time() as at`;
  for (const channel of ['gateway', 'jobs:insert', 'worker:migrate'])
    for (const payload of PAYLOADS) await sql`select pg_notify(${channel}, ${payload})`;
  await expect
    .poll(async () => {
      await sql`select pg_notify('gateway', 'key:x'), pg_notify('gateway', 'tools'), pg_notify('gateway', 'money')`;
      return heard;
    })
    .toBeGreaterThan(0);
  for (const off of offs) off();
  expect(await notices.receivesOwnNotice(10_000)).toBe(true);
  const { key } = await harness.person(1_000_000n);
  const json = { tool: 'probe', skill: 'queued_paid', input: { id: 'after' } };
  probe.release('after');
  const { body } = await harness.request('POST', '/v1/tools/call', {
    key,
    json,
    headers: { prefer: 'wait=30' },
  });
  expect(body.status, JSON.stringify(body)).toBe('success');
  expect(await sql`select pg_postmaster_start_time() as at`).toEqual([before]);
  expect(uncaught.errors).toEqual([]);
  uncaught.stop();
});
