import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callProcedure, createBrowserCaller } from '@/test/support/operator-fixture';
import { createProbe } from '@/test/support/probe-tool';
import { reconcileIfDue, sampleStatus } from '../background/operation-jobs';
import { type OperatorPair, startOperatorPair } from '../testing/operator-pair';
import { forgetStatus } from './get-status';

let pair: OperatorPair;
beforeAll(async () => {
  pair = await startOperatorPair([createProbe().tool]);
});
afterAll(() => pair.close());
beforeEach(async () => {
  await pair.harness.runtime.sql`delete from status_days`;
  await pair.harness.runtime.sql`delete from background_jobs`;
  forgetStatus(pair.harness.runtime);
});

const visit = () => createBrowserCaller(pair.harness, { kind: 'none' }).status.get();

describe('the uptime', () => {
  it('gets one sample a minute from all processes together', async () => {
    const { harness, other } = pair;
    for (const { runtime } of [harness, other, harness]) await sampleStatus(runtime);
    const rows = await harness.runtime
      .sql`select component, samples, failed from status_days order by component`;
    expect(rows.map(({ component }) => component)).toEqual([
      'api',
      'database',
      'jobs',
      'payments',
      'providers',
      'tools',
    ]);
    for (const row of rows) expect(row).toMatchObject({ samples: 1, failed: 0 });
  });

  it('counts the minutes in which nothing ran as downtime of the API', async () => {
    const { runtime } = pair.harness;
    await sampleStatus(runtime);
    await runtime.sql`
      update background_jobs set next_at = now() - interval '1 minute', started_at = now() - interval '31 minutes'
      where name = 'status'`;
    await sampleStatus(runtime);
    const [row] = await runtime.sql`
      select sum(samples)::int as samples, sum(failed)::int as failed from status_days where component = 'api'`;
    expect(row).toEqual({ samples: 32, failed: 30 });
    const { components } = await visit();
    expect(components.find(({ id }) => id === 'api')?.uptime).toBeCloseTo(2 / 32, 9);
    expect(components.find(({ id }) => id === 'database')?.uptime).toBe(1);
    expect(components[0]?.days).toHaveLength(90);
  });
});

describe('the page', () => {
  it('shows incidents that operators post until they are resolved, and names no account or amount @F32', async () => {
    const { id } = await pair.boss.operator.incidents.post({
      title: 'Slow calls',
      impact: 'minor',
      message: 'We are looking into it.',
    });
    const during = await visit();
    expect(during.state).toBe('degraded');
    expect(during.incidents[0]).toMatchObject({
      title: 'Slow calls',
      resolved_at: null,
      updates: [{ state: 'investigating', message: 'We are looking into it.' }],
    });
    const update = { incident_id: id, state: 'resolved' as const, message: 'Calls are fast again.' };
    await pair.boss.operator.incidents.update(update);
    const status = await visit();
    expect(status.state).toBe('operational');
    expect(status.incidents[0]).toMatchObject({
      resolved_at: expect.any(String),
      updates: [{ state: 'resolved' }, {}],
    });
    expect(JSON.stringify(status)).not.toMatch(/operator:|@|usd/i);
    await expect(pair.boss.operator.incidents.update(update)).rejects.toThrow('The incident is resolved');
  });

  it('is degraded while a tool fails most of its calls', async () => {
    const { sql } = pair.harness.runtime;
    const { accountId, keyId } = await pair.harness.person();
    // Not the state of all: a busy machine has a slow database.
    const readTools = async () => (await visit()).components.find(({ id }) => id === 'tools');
    expect(await readTools()).toMatchObject({ state: 'operational', note: null });
    const [tool] = pair.harness.runtime.tools.toolNames();
    await sql`
      insert into usage_rollups (account_id, hour, key_id, tool, calls, failed, byok_calls, raw_cost_microusd,
        markup_microusd, latency_ms_sum)
      values (${accountId}, date_trunc('hour', now(), 'UTC'), ${keyId}, ${tool ?? ''}, 10, 6, 0, 0, 0, 0)`;
    forgetStatus(pair.harness.runtime);
    expect((await visit()).state).toBe('degraded');
    expect((await readTools())?.note).toContain('fail most of their calls');
    await sql`delete from usage_rollups where key_id = ${keyId}`;
  });
});

it('reconciles in one process when it is due, and the page of background jobs shows both runs', async () => {
  const { harness, other, boss } = pair;
  const list = async () => await harness.runtime.sql`select id from reconcile_runs`;
  await reconcileIfDue(harness.runtime);
  expect(await list()).toHaveLength(0);
  await harness.runtime
    .sql`update background_jobs set next_at = now() - interval '1 second' where name = 'reconcile'`;
  await Promise.all([reconcileIfDue(harness.runtime), reconcileIfDue(other.runtime)]);
  expect(await list()).toHaveLength(1);
  const read = async () => (await boss.operator.background()).jobs.find(({ name }) => name === 'reconcile');
  await expect.poll(async () => (await read())?.state).toBe('ok');
  expect(await read()).toMatchObject({
    label: 'Reconcile',
    every_seconds: 86_400,
    last_at: expect.any(String),
    duration_ms: expect.any(Number),
    error: null,
  });
  const nextAt = Date.parse((await read())?.next_at ?? '');
  expect(nextAt - Date.now()).toBeGreaterThan(80_000_000);
  await expect(
    callProcedure(createBrowserCaller(harness, { kind: 'none' }), 'operator.background'),
  ).rejects.toThrow();
});
