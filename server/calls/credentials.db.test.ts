import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { reconcile } from '../billing/reconcile';
import { type FakeProvider, startFakeProvider } from '../testing/fake-provider';
import { type Harness, readEvents, startHarness } from '../testing/harness';
import { createProviderProbe, UNIT_COST, UNIT_FEE } from '../testing/provider-probe';

/** As the settings have it for the provider that the platform has a key of. */
const PLATFORM_KEY = `sk-test-secret-platform-${randomBytes(8).toString('hex')}`;
const FULL = Number(UNIT_FEE + UNIT_COST) / 1e6;
/** 5 % of 1,101, rounded up. */
const SHARE = 56 / 1e6;

let openai: FakeProvider;
let anthropic: FakeProvider;
let harness: Harness;
beforeAll(async () => {
  anthropic = await startFakeProvider(() => `${openai.baseUrl}/v1/stolen`);
  openai = await startFakeProvider(() => `${anthropic.baseUrl}/v1/stolen`);
  harness = await startHarness({
    tools: [createProviderProbe()],
    env: {
      RATE_PER_MINUTE: '1000',
      OPENAI_BASE_URL: openai.baseUrl,
      ANTHROPIC_BASE_URL: anthropic.baseUrl,
      ANTHROPIC_API_KEY: PLATFORM_KEY,
    },
  });
});
afterAll(async () => {
  await harness.close();
  await Promise.all([openai.close(), anthropic.close()]);
});
afterEach(() => {
  for (const provider of [openai, anthropic]) {
    provider.asked.length = 0;
    provider.refused.clear();
  }
});

const secretOf = () => `sk-test-secret-${randomBytes(12).toString('hex')}`;
const call = (key: string, input: object, headers: Record<string, string> = {}, more: object = {}) =>
  harness.ask('POST', '/v1/tools/call', {
    key,
    json: { tool: 'provider-probe', skill: 'ask', input, ...more },
    headers,
  });
const save = async (key: string, slot: string, value: string, label?: string) => {
  const saved = await harness.ask('PUT', `/v1/account/requirements/${slot}`, { key, json: { value, label } });
  expect(saved.status).toBe(200);
};
const balanceOf = async (key: string) =>
  (await harness.ask('GET', '/v1/billing/balance', { key })).body.available_usd;
const sentTo = (provider: FakeProvider) => provider.asked.map(({ headers }) => headers);

describe('the credential of a call is', () => {
  it("the one in its header, before a saved one and the platform's; it costs 5 %, rounded up", async () => {
    const { key } = await harness.person(1_000_000n);
    const [sent, saved] = [secretOf(), secretOf()];
    await save(key, 'openai', saved);
    await save(key, 'anthropic', saved);
    const answer = await call(key, {}, { 'x-provider-key-anthropic': sent });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        output: { slot: 'anthropic', own: true },
        usage: { cost: SHARE, markup: SHARE, raw_cost: 0, credits_remaining: 1 - SHARE },
        meta: { byok: true },
        billed: true,
      },
    });
    expect(sentTo(anthropic)).toMatchObject([{ 'x-api-key': sent, 'anthropic-version': '2023-06-01' }]);
    expect(openai.asked).toEqual([]);
    const history = await harness.ask('GET', '/v1/usage/history', { key });
    expect(history.body.records).toMatchObject([
      { byok: true, cost_usd: SHARE, raw_cost_usd: 0, markup_usd: SHARE },
    ]);
    expect((await harness.ask('GET', '/v1/usage', { key })).body).toMatchObject({
      byok_calls: 1,
      cost_usd: SHARE,
    });
  });

  it("the first saved default of its slots, also where a later one is the platform's", async () => {
    const { key } = await harness.person(1_000_000n);
    const [first, other] = [secretOf(), secretOf()];
    await save(key, 'openai', first, 'first');
    await save(key, 'openai', other, 'other');
    expect((await call(key, {})).body).toMatchObject({
      output: { slot: 'openai', own: true },
      meta: { byok: true },
    });
    await harness.ask('PUT', '/v1/account/requirements/openai', {
      key,
      json: { value: other, label: 'other', is_default: true },
    });
    await call(key, {});
    expect(sentTo(openai)).toMatchObject([
      { authorization: `Bearer ${first}` },
      { authorization: `Bearer ${other}` },
    ]);
    expect(anthropic.asked).toEqual([]);
  });

  it("the platform's own where the client has none, at the full price", async () => {
    const { key } = await harness.person(1_000_000n);
    const answer = await call(key, {});
    expect(answer.body).toMatchObject({
      output: { slot: 'anthropic', own: false },
      usage: { cost: FULL, raw_cost: Number(UNIT_COST) / 1e6, markup: Number(UNIT_FEE) / 1e6 },
      meta: { byok: false },
    });
    expect(sentTo(anthropic)).toMatchObject([{ 'x-api-key': PLATFORM_KEY }]);
  });

  it('only of a provider that fits the input', async () => {
    const { key } = await harness.person(1_000_000n);
    await save(key, 'openai', secretOf());
    const claude = await call(key, { model: 'claude' }, { 'x-provider-key-openai': secretOf() });
    expect(claude.body.output).toEqual({ slot: 'anthropic', own: false, text: '' });
    // An input that needs no provider needs no credential, and gets no discount for having sent one.
    const local = await call(key, { model: 'local' }, { 'x-provider-key-openai': secretOf() });
    expect(local.body).toMatchObject({
      output: { slot: 'none' },
      usage: { cost: FULL },
      meta: { byok: false },
    });
    expect(openai.asked).toEqual([]);
  });

  it("that of the key's owner, also when a team is charged", async () => {
    const person = await harness.person();
    const member = await harness.person();
    const team = await harness.team(person.userId, 'byok-team', 1_000_000n);
    await harness.runtime
      .sql`insert into memberships (account_id, user_id, role) values (${team}, ${member.userId}, 'member')`;
    const mine = secretOf();
    await save(person.key, 'openai', mine);
    const own = await call(person.key, {}, {}, { billing: 'byok-team' });
    expect(own.body).toMatchObject({ usage: { cost: SHARE }, meta: { byok: true, billing: 'byok-team' } });
    const other = await call(member.key, {}, {}, { billing: 'byok-team' });
    expect(other.body).toMatchObject({ usage: { cost: FULL }, meta: { byok: false } });
    expect(sentTo(openai)).toMatchObject([{ authorization: `Bearer ${mine}` }]);
  });

  it('missing where nobody has one: 401 says which, where to get one and where to put it', async () => {
    const { key } = await harness.person(1_000_000n);
    const answer = await call(key, { model: 'gpt' });
    expect(answer).toMatchObject({
      status: 401,
      body: {
        error: {
          code: 'MISSING_CREDENTIALS',
          type: 'auth',
          billed: false,
          missing: [
            { name: 'openai', displayName: 'OpenAI', acquireUrl: 'https://platform.openai.com/api-keys' },
          ],
        },
      },
    });
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer/);
    expect(answer.headers['ratelimit-policy']).toBeDefined();
    const hint = answer.body.error.resolution_hint;
    for (const word of [
      'X-Provider-Key-openai',
      'PUT /v1/account/requirements/openai',
      'https://platform.openai.com',
    ])
      expect(hint).toContain(word);
    expect(await balanceOf(key)).toBe(1);
  });
});

describe('a header that cannot be a key', () => {
  it.each([
    ['too short', 'short'],
    ['of six thousand characters', 'x'.repeat(6000)],
    ['with a line break', `${'x'.repeat(20)}\r\nHost: evil`],
    ['sent twice', `${'x'.repeat(20)}, ${'x'.repeat(20)}`],
    ['beyond ASCII', `${'x'.repeat(20)}ü`],
    ['empty', ''],
  ])('%s is 400 and named, and nothing is asked with another one', async (_, value) => {
    const { key } = await harness.person(1_000_000n);
    await save(key, 'openai', secretOf());
    for (const more of [{}, { dry_run: true }]) {
      const answer = await call(key, {}, { 'x-provider-key-openai': value }, more);
      expect(answer).toMatchObject({
        status: 400,
        body: {
          error: { code: 'INVALID_INPUT', fields: [{ path: 'X-Provider-Key-openai' }], billed: false },
        },
      });
      if (value.length > 6) expect(answer.text).not.toContain(value);
    }
    expect(openai.asked).toEqual([]);
  });

  it('is ignored where the call would not use it, or no provider has that name', async () => {
    const { key } = await harness.person(1_000_000n);
    const headers = Object.fromEntries([
      ['x-provider-key-acme', 'x'],
      ['x-provider-key-__proto__', 'x'],
      ['x-provider-key-constructor', 'x'],
      ['x-provider-key-', 'x'],
      ['x-provider-key-openai', 'x'],
    ]);
    expect((await call(key, { model: 'claude' }, headers)).status).toBe(200);
    expect(sentTo(anthropic)).toMatchObject([{ 'x-api-key': PLATFORM_KEY }]);
  });
});

describe('a key that the provider refuses', () => {
  it.each(['header', 'saved'])(
    "from the %s is its error: the platform's is not used instead, nothing is charged",
    async (from) => {
      const { key } = await harness.person(1_000_000n);
      const bad = secretOf();
      anthropic.refused.add(bad);
      if (from === 'saved') await save(key, 'anthropic', bad);
      const headers: Record<string, string> = from === 'header' ? { 'x-provider-key-anthropic': bad } : {};
      const answer = await call(key, { model: 'claude' }, headers);
      expect(answer).toMatchObject({
        status: 502,
        body: { error: { code: 'HANDLER_ERROR', type: 'provider', billed: false } },
      });
      expect(answer.body.error.message).toContain('Anthropic answered 401');
      // The provider repeats the key; we do not.
      expect(answer.text).not.toContain(bad);
      expect(answer.body.error.message).toContain('[provider key]');
      expect(anthropic.asked).toHaveLength(1);
      expect(await balanceOf(key)).toBe(1);
      const history = await harness.ask('GET', '/v1/usage/history', { key });
      expect(history.body.records).toMatchObject([{ status: 'error', cost_usd: 0, byok: true }]);
    },
  );
});

it('a key goes to its own provider alone: a redirect to another one loses it, in whatever header it is', async () => {
  const { key } = await harness.person(1_000_000n);
  const keys = { openai: secretOf(), anthropic: secretOf() };
  for (const [slot, model] of [
    ['openai', 'gpt'],
    ['anthropic', 'claude'],
  ] as const) {
    const answer = await call(key, { model, mode: 'away' }, { [`x-provider-key-${slot}`]: keys[slot] });
    expect(answer.body).toMatchObject({ status: 'success', meta: { byok: true } });
  }
  expect(openai.asked.map(({ path }) => path)).toEqual(['/v1/away', '/v1/stolen']);
  expect(anthropic.asked.map(({ path }) => path)).toEqual(['/v1/stolen', '/v1/away']);
  expect(JSON.stringify(sentTo(anthropic))).not.toContain(keys.openai);
  expect(JSON.stringify(sentTo(openai))).not.toContain(keys.anthropic);
  expect(openai.asked[0]?.headers.authorization).toContain(keys.openai);
});

describe("the price with the client's own key", () => {
  it('is of what was used, and 5 % is set aside for the most', async () => {
    const { key } = await harness.person(1_000_000n);
    const answer = await call(key, { units: 100, used: 10 }, { 'x-provider-key-openai': secretOf() });
    // 5 % of 11,010 is 550.5.
    expect(answer.body.usage).toMatchObject({ cost: 551 / 1e6, raw_cost: 0 });
    const poor = await harness.person(56n);
    expect((await call(poor.key, {}, { 'x-provider-key-openai': secretOf() })).status).toBe(200);
    expect((await call(poor.key, {}, { 'x-provider-key-openai': secretOf() })).status).toBe(402);
  });

  it('is no discount for a key that was never used: the whole price is due, up to what was set aside', async () => {
    const { key } = await harness.person(1_000_000n);
    const header = { 'x-provider-key-openai': secretOf() };
    const one = await call(key, { mode: 'not-ask' }, header);
    expect(one.body).toMatchObject({ usage: { cost: SHARE, raw_cost: 0 }, meta: { byok: false } });
    // Of little that was done the whole price is below what was set aside.
    const little = await call(key, { mode: 'not-ask', units: 100, used: 1 }, header);
    expect(little.body).toMatchObject({
      usage: { cost: FULL, raw_cost: 0 },
      meta: { byok: false },
    });
    expect(openai.asked).toEqual([]);
    expect((await reconcile(harness.runtime)).differences).toEqual([]);
  });
});

describe('a dry run', () => {
  it('says which credentials are missing, and at which rate it would be charged', async () => {
    const { key } = await harness.person(1_000_000n);
    const dry = { dry_run: true };
    expect((await call(key, { model: 'gpt' }, {}, dry)).body).toMatchObject({
      valid: false,
      input_valid: true,
      credentials_ok: false,
      missing_credentials: [{ name: 'openai', displayName: 'OpenAI', acquireUrl: expect.any(String) }],
      estimated_cost_usd: FULL,
    });
    expect((await call(key, {}, {}, dry)).body).toMatchObject({
      valid: true,
      credentials_ok: true,
      missing_credentials: [],
      estimated_cost_usd: FULL,
    });
    expect((await call(key, {}, { 'x-provider-key-openai': secretOf() }, dry)).body).toMatchObject({
      valid: true,
      estimated_cost_usd: SHARE,
    });
    await save(key, 'openai', secretOf());
    expect((await call(key, { model: 'gpt' }, {}, dry)).body).toMatchObject({
      valid: true,
      estimated_cost_usd: SHARE,
    });
    expect((await call(key, { units: 0 }, {}, dry)).body).toMatchObject({
      valid: false,
      credentials_ok: true,
    });
    expect([...openai.asked, ...anthropic.asked]).toEqual([]);
  });
});

it('a batch has its headers for all of its elements; one without credentials fails alone', async () => {
  const { key } = await harness.person(1_000_000n);
  const sent = secretOf();
  const element = (model: string) => ({ tool: 'provider-probe', skill: 'ask', input: { model } });
  const batch = await harness.ask('POST', '/v1/tools/batch', {
    key,
    json: { calls: [element('gpt'), element('claude')] },
    headers: { 'x-provider-key-openai': sent },
  });
  expect(batch.body.results).toMatchObject([
    { status: 'success', meta: { byok: true }, usage: { cost: SHARE } },
    { status: 'success', meta: { byok: false }, usage: { cost: FULL } },
  ]);
  const without = await harness.ask('POST', '/v1/tools/batch', {
    key,
    json: { calls: [element('gpt'), element('claude')] },
  });
  expect(without.body.results).toMatchObject([
    { status: 'error', error: { code: 'MISSING_CREDENTIALS', missing: [{ name: 'openai' }] } },
    { status: 'success' },
  ]);
});

it('a stream tells the lines of a tool without the key, were it to say it', async () => {
  const { key } = await harness.person(1_000_000n);
  const sent = secretOf();
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

it('a saved value says when it was used, by the call that uses it', async () => {
  const { key } = await harness.person(1_000_000n);
  await save(key, 'openai', secretOf());
  const usedAt = async () => {
    const { body } = await harness.ask('GET', '/v1/account/requirements', { key });
    return body.requirements.find(({ name }: { name: string }) => name === 'openai').entries[0].last_used_at;
  };
  await call(key, { mode: 'not-ask' });
  await call(key, {}, { 'x-provider-key-openai': secretOf() });
  expect(await usedAt()).toBeNull();
  await call(key, {});
  await expect.poll(usedAt).toMatch(/^20/);
});

it("a saved value that does not open is said so, and nobody else's key is used for it", async () => {
  const { key, accountId } = await harness.person(1_000_000n);
  await save(key, 'anthropic', secretOf());
  await harness.runtime.sql`update credentials set sealed = regexp_replace(sealed, '^v1\\.k1', 'v1.gone')
    where account_id = ${accountId}`;
  harness.log.length = 0;
  const answer = await call(key, { model: 'claude' });
  expect(answer).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL' } } });
  expect(answer.body.error.message).toContain('anthropic');
  expect(answer.body.error.resolution_hint).toContain('PUT /v1/account/requirements/anthropic');
  // The operator is told which key of the vault is missing.
  expect(harness.log.join('')).toMatch(/vault key \\"gone\\".*VAULT_KEYS_OLD/);
  expect(anthropic.asked).toEqual([]);
});
