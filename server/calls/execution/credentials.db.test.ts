import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FakeProvider } from '@/test/support/fake-provider';
import {
  FULL_USD,
  newSecret,
  PLATFORM_KEY,
  type ProviderFixture,
  SHARE_USD,
  startProviderFixture,
} from '@/test/support/provider-fixture';
import { UNIT_COST, UNIT_FEE } from '@/test/support/provider-probe';

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
const sentTo = (provider: FakeProvider) => provider.received.map(({ headers }) => headers);
const getBalance = (key: string) => fixture.getBalance(key);

describe('the credential of a call is', () => {
  it('the one in its header, before a saved one and that of the platform, at 5 %, rounded up', async () => {
    const { key } = await harness.person(1_000_000n);
    const [sent, saved] = [newSecret(), newSecret()];
    await save(key, 'openai', saved);
    await save(key, 'anthropic', saved);
    const answer = await call(key, {}, { 'x-provider-key-anthropic': sent });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        output: { slot: 'anthropic', own: true },
        usage: { cost: SHARE_USD, markup: SHARE_USD, raw_cost: 0, credits_remaining: 1 - SHARE_USD },
        meta: { byok: true },
        billed: true,
      },
    });
    expect(sentTo(anthropic)).toMatchObject([{ 'x-api-key': sent, 'anthropic-version': '2023-06-01' }]);
    expect(openai.received).toEqual([]);
    const history = await harness.request('GET', '/v1/usage/history', { key });
    expect(history.body.records).toMatchObject([
      { byok: true, cost_usd: SHARE_USD, raw_cost_usd: 0, markup_usd: SHARE_USD },
    ]);
    expect((await harness.request('GET', '/v1/usage', { key })).body).toMatchObject({
      byok_calls: 1,
      cost_usd: SHARE_USD,
    });
  });

  it('the first saved default of its providers, before a platform key of a later provider', async () => {
    const { key } = await harness.person(1_000_000n);
    const [first, other] = [newSecret(), newSecret()];
    await save(key, 'openai', first, 'first');
    await save(key, 'openai', other, 'other');
    expect((await call(key, {})).body).toMatchObject({
      output: { slot: 'openai', own: true },
      meta: { byok: true },
    });
    await harness.request('PUT', '/v1/account/requirements/openai', {
      key,
      json: { value: other, label: 'other', is_default: true },
    });
    await call(key, {});
    expect(sentTo(openai)).toMatchObject([
      { authorization: `Bearer ${first}` },
      { authorization: `Bearer ${other}` },
    ]);
    expect(anthropic.received).toEqual([]);
  });

  it('that of the platform if the caller has none, at the full price', async () => {
    const { key } = await harness.person(1_000_000n);
    const answer = await call(key, {});
    expect(answer.body).toMatchObject({
      output: { slot: 'anthropic', own: false },
      usage: { cost: FULL_USD, raw_cost: Number(UNIT_COST) / 1e6, markup: Number(UNIT_FEE) / 1e6 },
      meta: { byok: false },
    });
    expect(sentTo(anthropic)).toMatchObject([{ 'x-api-key': PLATFORM_KEY }]);
  });

  it('only one of a provider that fits the input', async () => {
    const { key } = await harness.person(1_000_000n);
    await save(key, 'openai', newSecret());
    const claude = await call(key, { model: 'claude' }, { 'x-provider-key-openai': newSecret() });
    expect(claude.body.output).toEqual({ slot: 'anthropic', own: false, text: '' });
    // An input that needs no provider needs no credential, and sending one gives no discount.
    const local = await call(key, { model: 'local' }, { 'x-provider-key-openai': newSecret() });
    expect(local.body).toMatchObject({
      output: { slot: 'none' },
      usage: { cost: FULL_USD },
      meta: { byok: false },
    });
    expect(openai.received).toEqual([]);
  });

  it('that of the owner of the key, also when a team is charged', async () => {
    const person = await harness.person();
    const member = await harness.person();
    const team = await harness.team(person.userId, 'byok-team', 1_000_000n);
    await harness.runtime
      .sql`insert into memberships (account_id, user_id, role) values (${team}, ${member.userId}, 'member')`;
    const mine = newSecret();
    await save(person.key, 'openai', mine);
    const own = await call(person.key, {}, {}, { billing: 'byok-team' });
    expect(own.body).toMatchObject({
      usage: { cost: SHARE_USD },
      meta: { byok: true, billing: 'byok-team' },
    });
    const other = await call(member.key, {}, {}, { billing: 'byok-team' });
    expect(other.body).toMatchObject({ usage: { cost: FULL_USD }, meta: { byok: false } });
    expect(sentTo(openai)).toMatchObject([{ authorization: `Bearer ${mine}` }]);
  });

  it('missing if there is none: 401 names the provider, where to get a key and where to save it', async () => {
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
    expect(await getBalance(key)).toBe(1);
  });
});

describe('a provider key header with an invalid value', () => {
  it.each([
    ['too short', 'short'],
    ['of six thousand characters', 'x'.repeat(6000)],
    ['with a line break', `${'x'.repeat(20)}\r\nHost: evil`],
    ['sent twice', `${'x'.repeat(20)}, ${'x'.repeat(20)}`],
    ['beyond ASCII', `${'x'.repeat(20)}ü`],
    ['empty', ''],
  ])('%s is 400 and names the header, and no other key is used instead @C14', async (_, value) => {
    const { key } = await harness.person(1_000_000n);
    await save(key, 'openai', newSecret());
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
    expect(openai.received).toEqual([]);
  });

  it('is ignored if the call would not use it, or no provider has that name @A22 @C14', async () => {
    const { key } = await harness.person(1_000_000n);
    const headers = Object.fromEntries([
      ['x-provider-key-acme', 'x'],
      ['x-provider-key-__proto__', 'x'],
      ['x-provider-key-constructor', 'x'],
      ['x-provider-key-', 'x'],
      ['x-provider-key-openai', 'x'],
    ]);
    const answer = await call(key, { model: 'claude' }, headers);
    // No discount either: the platform key was used, so the full price is due.
    expect(answer).toMatchObject({
      status: 200,
      body: { output: { own: false }, usage: { cost: FULL_USD }, meta: { byok: false } },
    });
    expect(await getBalance(key)).toBe(1 - FULL_USD);
    expect(sentTo(anthropic)).toMatchObject([{ 'x-api-key': PLATFORM_KEY }]);
    const history = await harness.request('GET', '/v1/usage/history', { key });
    expect(history.body.records).toMatchObject([{ byok: false, cost_usd: FULL_USD }]);
  });
});

describe('a provider key that the provider refuses', () => {
  it.each(['header', 'saved'])(
    'from the %s fails the call: the platform key is not used instead, and nothing is charged @A22',
    async (from) => {
      const { key } = await harness.person(1_000_000n);
      const bad = newSecret();
      anthropic.rejectedKeys.add(bad);
      if (from === 'saved') await save(key, 'anthropic', bad);
      const headers: Record<string, string> = from === 'header' ? { 'x-provider-key-anthropic': bad } : {};
      const answer = await call(key, { model: 'claude' }, headers);
      expect(answer).toMatchObject({
        status: 502,
        body: { error: { code: 'HANDLER_ERROR', type: 'provider', billed: false } },
      });
      expect(answer.body.error.message).toContain('Anthropic answered 401');
      // The provider echoes the key; the gateway does not.
      expect(answer.text).not.toContain(bad);
      expect(answer.body.error.message).toContain('[provider key]');
      expect(anthropic.received).toHaveLength(1);
      expect(await getBalance(key)).toBe(1);
      const history = await harness.request('GET', '/v1/usage/history', { key });
      expect(history.body.records).toMatchObject([{ status: 'error', cost_usd: 0, byok: true }]);
    },
  );
});

it('a key is sent only to its own provider: a redirect to another one drops it, whichever header has it @C11 @C14', async () => {
  const { key } = await harness.person(1_000_000n);
  const keys = { openai: newSecret(), anthropic: newSecret() };
  for (const [slot, model] of [
    ['openai', 'gpt'],
    ['anthropic', 'claude'],
  ] as const) {
    const answer = await call(key, { model, mode: 'away' }, { [`x-provider-key-${slot}`]: keys[slot] });
    expect(answer.body).toMatchObject({ status: 'success', meta: { byok: true } });
  }
  expect(openai.received.map(({ path }) => path)).toEqual(['/v1/away', '/v1/stolen']);
  expect(anthropic.received.map(({ path }) => path)).toEqual(['/v1/stolen', '/v1/away']);
  expect(JSON.stringify(sentTo(anthropic))).not.toContain(keys.openai);
  expect(JSON.stringify(sentTo(openai))).not.toContain(keys.anthropic);
  expect(openai.received[0]?.headers.authorization).toContain(keys.openai);
});
