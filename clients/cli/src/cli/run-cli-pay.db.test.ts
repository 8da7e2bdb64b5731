import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { type CliSandbox, createCliSandbox } from '../testing/cli-sandbox.js';
import { EXIT } from './exit-codes.js';

let gateway: Harness;
let sandbox: CliSandbox;
beforeAll(async () => {
  gateway = await startHarness({ listen: true, fakeStripe: true, env: { PAY_PER_CALL: '1' } });
  sandbox = await createCliSandbox({ TOOL_GATEWAY_URL: gateway.baseUrl });
});
afterAll(async () => {
  await sandbox?.remove();
  await gateway?.close();
});

const SPEND = ['call', 'diagnostics', 'spend', '--amount_usd', '0.1', '--pay', 'sandbox'];

it('pays for a call without a key, and prints the key that holds the rest', async () => {
  const { code, json, stderr } = await sandbox.run(SPEND);
  expect(code).toBe(EXIT.ok);
  expect(json).toMatchObject({ status: 'success', usage: { cost: 0.1, credits_remaining: 0.9 } });
  expect(stderr).toContain(json.api_key);
  expect(stderr).toContain(json.claim_url);
  const again = await sandbox.run(SPEND.slice(0, -2), { env: { TOOL_GATEWAY_KEY: json.api_key } });
  expect(again.json.usage.credits_remaining).toBe(0.8);
});

it('prints the key with the error if the paid call fails', async () => {
  const { code, stderr } = await sandbox.run([
    ...['call', 'diagnostics', 'flaky', '--mode', 'throw', '--pay', 'sandbox'],
  ]);
  expect(code).toBe(EXIT.toolFailed);
  expect(stderr).toMatch(/tg_live_[0-9A-Za-z]{38}/);
});

it('waits for a call that becomes a job, with its key', async () => {
  const { code, json } = await sandbox.run([...SPEND, '--no-wait']);
  expect(code).toBe(EXIT.pending);
  expect(json).toMatchObject({ status: 'pending', api_key: expect.any(String) });
});

it('refuses an unknown method before it sends anything', async () => {
  const { code, error } = await sandbox.run([...SPEND.slice(0, -1), 'coins']);
  expect({ code, error }).toMatchObject({ code: EXIT.usage, error: { error: { code: 'USAGE' } } });
});
