import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestServer } from '@/test/support/test-server';
import { nodeAdapter } from '../../server/api/dispatch/node-adapter';
import { PROVIDER_NAMES } from '../../server/platform/settings/providers';
import { tools } from '../../server/tools/registry';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider';
import { type Harness, startHarness } from '../support/harness';
import { createProviderProbe } from '../support/provider-probe';
import { UNLIMITED_RATES } from '../support/unlimited-rates';
import { findSecrets, sendSecrets } from '../system/fixtures/gateway-secrets';

const PLATFORM_KEY = `sk-test-secret-platform-${randomBytes(12).toString('hex')}`;

let provider: FakeProvider;
let harness: Harness;
let server: ReturnType<typeof createTestServer>;
let baseUrl = '';
beforeAll(async () => {
  provider = await startFakeProvider();
  harness = await startHarness({
    role: 'web',
    tools: [...tools, createProviderProbe()],
    env: {
      ...UNLIMITED_RATES,
      ...Object.fromEntries(
        PROVIDER_NAMES.map((slot) => [`${slot.toUpperCase()}_BASE_URL`, 'http://127.0.0.1:9']),
      ),
      OPENAI_BASE_URL: provider.baseUrl,
      ANTHROPIC_BASE_URL: provider.baseUrl,
      ANTHROPIC_API_KEY: PLATFORM_KEY,
    },
  });
  server = createTestServer(nodeAdapter(harness.dispatcher));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await harness.close();
  await provider.close();
});

const createProviderKey = () => `sk-test-secret-${randomBytes(12).toString('hex')}`;

it('no provider key is in a log, table or file after calls of every kind, while some keys are still stored @B4 @C14', async () => {
  const { key } = await harness.person(1_000_000n);
  const used = [PLATFORM_KEY, ...(await sendSecrets(baseUrl, key))];
  const send = async (skill: string, input: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${baseUrl}/v1/tools/call`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ tool: 'provider-probe', skill, input }),
    });
    return await response.text();
  };
  const answers: string[] = [];
  const callBadly = async (skill: string, mode: string, refused: boolean) => {
    const [own, saved] = [createProviderKey(), createProviderKey()];
    used.push(own, saved);
    if (refused) for (const secret of [own, saved]) provider.rejectedKeys.add(secret);
    const header = { 'x-provider-key-openai': own };
    answers.push(await send(skill, { mode }, header));
    answers.push(await send(skill, { mode }, { ...header, accept: 'text/event-stream' }));
    answers.push(
      await send(skill, { mode }, { ...header, 'idempotency-key': `${skill} ${mode} ${refused}` }),
    );
    const json = { value: saved, label: 'mine', is_default: true };
    await harness.request('PUT', '/v1/account/requirements/openai', { key, json });
    answers.push(await send(skill, { mode, model: 'gpt' }));
    // With the platform's key.
    answers.push(await send(skill, { mode, model: 'claude' }));
  };
  for (const skill of ['ask', 'ask_queued'])
    for (const mode of ['ask', 'not-ask', 'repeat', 'leak'])
      for (const refused of [false, true]) await callBadly(skill, mode, refused);
  // These stay queued, with their keys encrypted in the database.
  for (const secret of [createProviderKey(), createProviderKey()]) {
    used.push(secret);
    const waits = { 'x-provider-key-openai': secret, prefer: 'wait=0' };
    answers.push(await send('ask_queued', { mode: 'wait' }, waits));
  }
  const { sql, settings } = harness.runtime;
  expect((await sql`select 1 from queued_call_states where sealed_key is not null`).length).toBeGreaterThan(
    0,
  );
  expect((await sql`select 1 from credentials`).length).toBeGreaterThan(0);
  await expect
    .poll(() => provider.received.filter(({ path }) => path === '/v1/ask').length)
    .toBeGreaterThan(60);
  for (const secret of used) expect(answers.join('')).not.toContain(secret);
  const env = {
    DATA_DIR: settings.dataDir,
    DATABASE_URL: settings.databaseUrl,
    AUTH_SECRET: settings.authSecret,
    VAULT_KEY: settings.vaultKey,
    CLAIM_SECRET: settings.claimSecret,
  };
  expect(harness.log.length).toBeGreaterThan(0);
  expect(await findSecrets({ env, log: () => harness.log.join('') }, used)).toEqual([]);
});
