import { afterEach, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { limitConfinement } from '../confinement/confinement';
import { closeWorkers } from './cpu-pool';
import { areWorkersConfined } from './native-sql';

const files = [{ file: 'asset_sample_sales' }];
const query = { tool: 'data', skill: 'query', input: { files, sql: 'SELECT 42 AS x' } };
const validate = { tool: 'data', skill: 'validate', input: { schema: { type: 'number' }, data: 1 } };
const RUNS = { status: 200, body: { output: { rows: [{ x: 42 }] } } };

let harness: Harness;
afterEach(async () => {
  limitConfinement();
  closeWorkers();
  await harness.close();
});

async function open(UNCONFINED_SQL: string) {
  harness = await startHarness({ env: { UNCONFINED_SQL } });
  const { key } = await harness.person(10_000_000n);
  return (json: unknown) => harness.request('POST', '/v1/tools/call', { key, json });
}

it('SQL is refused without confinement, and other skills of the tool work @F1', async () => {
  limitConfinement({ layers: ['none'] });
  const call = await open('0');
  const answered = await call(query);
  expect(answered).toMatchObject({ status: 503, body: { error: { code: 'TOOL_UNAVAILABLE' } } });
  // Only operators can set it.
  expect(JSON.stringify(answered.body)).not.toContain('UNCONFINED_SQL');
  expect((await call({ ...query, dry_run: true })).body).toMatchObject({ valid: false });
  expect(await call(validate)).toMatchObject({ status: 200, body: { output: { valid: true } } });
});

it('SQL runs without confinement if the operator allows it', async () => {
  limitConfinement({ layers: ['none'] });
  const call = await open('1');
  expect(await call(query)).toMatchObject(RUNS);
  expect((await call({ ...query, dry_run: true })).body).toMatchObject({ valid: true });
});

it('SQL runs without a setting if the machine confines workers', async () => {
  const call = await open('0');
  const answered = await call(query);
  if (await areWorkersConfined()) expect(answered).toMatchObject(RUNS);
  else expect(answered.status).toBeGreaterThanOrEqual(500);
});
