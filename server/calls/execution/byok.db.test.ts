import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  FULL_USD,
  newSecret,
  type ProviderFixture,
  SHARE_USD,
  startProviderFixture,
} from '@/test/support/provider-fixture';
import { readEvents } from '@/test/support/read-events';
import { reconcile } from '../../money/reconcile/reconcile';

let fixture: ProviderFixture;
beforeAll(async () => {
  fixture = await startProviderFixture();
  ({ harness, openai, anthropic } = fixture);
});
afterAll(() => fixture.close());
afterEach(() => fixture.reset());

let harness: ProviderFixture['harness'];
let openai: ProviderFixture['openai'];
let anthropic: ProviderFixture['anthropic'];
const call: ProviderFixture['call'] = (...asked) => fixture.call(...asked);
const save: ProviderFixture['save'] = (...saved) => fixture.save(...saved);

describe("the price with the caller's own key", () => {
  it('charges 5 % of the actual usage and holds 5 % of the maximum', async () => {
    const { key } = await harness.person(1_000_000n);
    const answer = await call(key, { units: 100, used: 10 }, { 'x-provider-key-openai': newSecret() });
    // 5 % of 11,010 is 550.5.
    expect(answer.body.usage).toMatchObject({ cost: 551 / 1e6, raw_cost: 0 });
    const poor = await harness.person(56n);
    expect((await call(poor.key, {}, { 'x-provider-key-openai': newSecret() })).status).toBe(200);
    expect((await call(poor.key, {}, { 'x-provider-key-openai': newSecret() })).status).toBe(402);
  });

  it('gives no discount for a key that was not used: charges the full price, up to the hold @A22', async () => {
    const { key } = await harness.person(1_000_000n);
    const header = { 'x-provider-key-openai': newSecret() };
    const one = await call(key, { mode: 'not-ask' }, header);
    expect(one.body).toMatchObject({ usage: { cost: SHARE_USD, raw_cost: 0 }, meta: { byok: false } });
    // For little usage the full price is below the hold.
    const little = await call(key, { mode: 'not-ask', units: 100, used: 1 }, header);
    expect(little.body).toMatchObject({
      usage: { cost: FULL_USD, raw_cost: 0 },
      meta: { byok: false },
    });
    expect(openai.received).toEqual([]);
    expect((await reconcile(harness.runtime)).differences).toEqual([]);
  });
});

describe('a dry run', () => {
  it('reports missing credentials, and the rate that would be charged', async () => {
    const { key } = await harness.person(1_000_000n);
    const dry = { dry_run: true };
    expect((await call(key, { model: 'gpt' }, {}, dry)).body).toMatchObject({
      valid: false,
      input_valid: true,
      credentials_ok: false,
      missing_credentials: [{ name: 'openai', displayName: 'OpenAI', acquireUrl: expect.any(String) }],
      estimated_cost_usd: FULL_USD,
    });
    expect((await call(key, {}, {}, dry)).body).toMatchObject({
      valid: true,
      credentials_ok: true,
      missing_credentials: [],
      estimated_cost_usd: FULL_USD,
    });
    expect((await call(key, {}, { 'x-provider-key-openai': newSecret() }, dry)).body).toMatchObject({
      valid: true,
      estimated_cost_usd: SHARE_USD,
    });
    await save(key, 'openai', newSecret());
    expect((await call(key, { model: 'gpt' }, {}, dry)).body).toMatchObject({
      valid: true,
      estimated_cost_usd: SHARE_USD,
    });
    expect((await call(key, { units: 0 }, {}, dry)).body).toMatchObject({
      valid: false,
      credentials_ok: true,
    });
    expect([...openai.received, ...anthropic.received]).toEqual([]);
  });
});

it('applies the headers of a batch to all elements; one without credentials fails alone', async () => {
  const { key } = await harness.person(1_000_000n);
  const sent = newSecret();
  const element = (model: string) => ({ tool: 'provider-probe', skill: 'ask', input: { model } });
  const batch = await harness.request('POST', '/v1/tools/batch', {
    key,
    json: { calls: [element('gpt'), element('claude')] },
    headers: { 'x-provider-key-openai': sent },
  });
  expect(batch.body.results).toMatchObject([
    { status: 'success', meta: { byok: true }, usage: { cost: SHARE_USD } },
    { status: 'success', meta: { byok: false }, usage: { cost: FULL_USD } },
  ]);
  const without = await harness.request('POST', '/v1/tools/batch', {
    key,
    json: { calls: [element('gpt'), element('claude')] },
  });
  expect(without.body.results).toMatchObject([
    { status: 'error', error: { code: 'MISSING_CREDENTIALS', missing: [{ name: 'openai' }] } },
    { status: 'success' },
  ]);
});

it('redacts the key from the log lines of a stream and from outputs', async () => {
  const { key } = await harness.person(1_000_000n);
  const sent = newSecret();
  const headers = { accept: 'text/event-stream', 'x-provider-key-openai': sent };
  const streamed = await call(key, { model: 'gpt', mode: 'leak' }, headers);
  expect(readEvents(streamed.text).map(({ event }) => event)).toEqual([
    'started',
    'progress',
    'rate_limit',
    'error',
  ]);
  expect(streamed.text).toContain('[provider key]');
  const repeated = await call(key, { model: 'gpt', mode: 'repeat' }, { 'x-provider-key-openai': sent });
  expect(repeated.body.output.text).toContain('[provider key]');
  expect(streamed.text + repeated.text + harness.log.join('')).not.toContain(sent);
});

it('records when a saved key was last used', async () => {
  const { key } = await harness.person(1_000_000n);
  await save(key, 'openai', newSecret());
  const usedAt = async () => {
    const { body } = await harness.request('GET', '/v1/account/requirements', { key });
    return body.requirements.find(({ name }: { name: string }) => name === 'openai').entries[0].last_used_at;
  };
  await call(key, { mode: 'not-ask' });
  await call(key, {}, { 'x-provider-key-openai': newSecret() });
  expect(await usedAt()).toBeNull();
  await call(key, {});
  await expect.poll(usedAt).toMatch(/^20/);
});

it('two sealed keys swapped in the database open for neither account, and nothing is charged @B5', async () => {
  const [one, two] = [await harness.person(1_000_000n), await harness.person(1_000_000n)];
  for (const { key } of [one, two]) {
    await save(key, 'anthropic', newSecret());
    expect((await call(key, { model: 'claude' })).body).toMatchObject({ meta: { byok: true } });
  }
  anthropic.received.length = 0;
  const { sql } = harness.runtime;
  const swapped = await sql`update credentials c set sealed = other.sealed from credentials other
    where c.account_id in (${one.accountId}, ${two.accountId}) and other.account_id in (${one.accountId}, ${two.accountId})
      and other.account_id <> c.account_id returning c.account_id`;
  expect(swapped).toHaveLength(2);
  for (const { key } of [one, two]) {
    const before = await fixture.getBalance(key);
    expect(await call(key, { model: 'claude' })).toMatchObject({
      status: 500,
      body: { error: { code: 'INTERNAL', billed: false } },
    });
    expect(await fixture.getBalance(key)).toBe(before);
  }
  expect(anthropic.received).toEqual([]);
});

it('a saved key that does not open is reported, and no other key is used instead', async () => {
  const { key, accountId } = await harness.person(1_000_000n);
  await save(key, 'anthropic', newSecret());
  await harness.runtime.sql`update credentials set sealed = regexp_replace(sealed, '^v1\\.k1', 'v1.gone')
    where account_id = ${accountId}`;
  harness.log.length = 0;
  const answer = await call(key, { model: 'claude' });
  expect(answer).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL' } } });
  expect(answer.body.error.message).toContain('anthropic');
  expect(answer.body.error.resolution_hint).toContain('PUT /v1/account/requirements/anthropic');
  // The log names the missing vault key.
  expect(harness.log.join('')).toMatch(/vault key \\"gone\\".*VAULT_KEYS_OLD/);
  expect(anthropic.received).toEqual([]);
});
