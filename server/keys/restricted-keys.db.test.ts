import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectRoutes } from '../http/routes';
import { type Harness, startHarness } from '../testing/harness';

let harness: Harness;
let person: Awaited<ReturnType<Harness['person']>>;
/** A key for each way to be restricted, all in one account. */
const restricted: Record<string, { key: string; keyId: string }> = {};
beforeAll(async () => {
  harness = await startHarness({
    standin: true,
    env: { MACHINE_PAYMENTS_SANDBOX: '1', PROVISION_PER_HOUR: '100', RATE_PER_MINUTE: '1000' },
  });
  person = await harness.person(10_000_000n);
  restricted['an allowance'] = await harness.addKey(person.accountId, 1_000_000n);
  restricted['a spent allowance'] = await harness.addKey(person.accountId, 0n);
  restricted['a claim that did not allow it'] = await claimed({});
  restricted['an application'] = await harness.addKey(person.accountId);
  await harness.runtime
    .sql`update api_keys set kind = 'oauth' where id = ${restricted['an application'].keyId}`;
}, 120_000);
afterAll(() => harness.close());

const KINDS = ['an allowance', 'a spent allowance', 'a claim that did not allow it', 'an application'];

async function claimed(choice: { manages_account?: boolean }): Promise<{ key: string; keyId: string }> {
  const { body } = await harness.ask('POST', '/v1/auth/provision');
  const token = new URL(body.claim_url).searchParams.get('token');
  const answer = await harness.ask('POST', '/v1/auth/claim', {
    key: person.key,
    json: { token, ...choice },
  });
  expect(answer.body.keys_moved).toMatchObject([{ manages_account: choice.manages_account ?? false }]);
  return { key: body.api_key, keyId: answer.body.keys_moved[0].id };
}

/** What a restricted key may still change: it calls tools, and says what it thinks of them. */
const ALLOWED = [
  'POST /v1/tools/call',
  'POST /v1/tools/batch',
  'POST /v1/jobs/{jobId}/cancel',
  'POST /v1/assets/upload',
  'POST /v1/reviews',
];
const BODIES: Record<string, object> = {
  'POST /v1/billing/checkout': { amount_usd: 10 },
  'POST /v1/billing/portal': {},
  'PUT /v1/billing/preferences': { budgetLimit: null },
  'POST /v1/billing/machine-topup': { amount_usd: 5 },
  'POST /v1/keys': { name: 'wider' },
  'POST /v1/keys/{id}/credits': { amount: 100 },
  'DELETE /v1/keys/{id}': {},
  'POST /v1/auth/claim': { token: 'clm_unknown' },
  'PUT /v1/account/requirements/{name}': { value: 'sk-test-0123456789' },
  'DELETE /v1/account/requirements/{name}': {},
};

const changing = collectRoutes()
  .filter(({ method, needsKey }) => method !== 'GET' && needsKey)
  .map(({ method, template }) => `${method} ${template}`)
  .filter((route) => !ALLOWED.includes(route));

function send(route: string, key: string, keyId: string) {
  const [method = '', template = ''] = route.split(' ');
  const path = template.replace('{id}', keyId).replace('{name}', 'openai');
  const json = BODIES[route];
  return harness.ask(method, path, { key, json: method === 'DELETE' ? undefined : json });
}

async function snapshot() {
  const { sql } = harness.runtime;
  return {
    keys: await sql`select id, account_id, name, credits_microusd, revoked_at from api_keys order by id`,
    accounts: await sql`select id, budget_limit_microusd, auto_reload_enabled from accounts order by id`,
    orders: await sql`select id from orders`,
    credentials: await sql`select id from credentials`,
    idempotency: await sql`select key from idempotency_keys`,
  };
}

describe('a restricted key does not widen itself', () => {
  it('every route that changes something is covered here', () => {
    expect([...changing].sort()).toEqual(Object.keys(BODIES).sort());
  });

  it.each(KINDS)(
    'with %s: every route that manages the account is KEY_RESTRICTED, and changes nothing',
    async (kind) => {
      const { key, keyId } = restricted[kind] ?? { key: '', keyId: '' };
      const before = await snapshot();
      for (const route of changing)
        for (const target of [keyId, person.keyId]) {
          const { status, body } = await send(route, key, target);
          expect([route, status, body.error?.code]).toEqual([route, 403, 'KEY_RESTRICTED']);
        }
      expect(await snapshot()).toEqual(before);
    },
  );

  it.each(KINDS)('with %s: it reads what it needs, and calls free tools', async (kind) => {
    const { key } = restricted[kind] ?? { key: '' };
    for (const path of ['/v1/billing/balance', '/v1/billing/preferences', '/v1/usage'])
      expect((await harness.ask('GET', path, { key })).status).toBe(200);
    const json = { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } };
    expect((await harness.ask('POST', '/v1/tools/call', { key, json })).status).toBe(200);
  });

  it('a key that a claim let manage the account does, and the keys that it creates do', async () => {
    const { key } = await claimed({ manages_account: true });
    const created = await harness.ask('POST', '/v1/keys', { key });
    expect(created).toMatchObject({ status: 201, body: { manages_account: true } });
    const limited = await harness.ask('POST', '/v1/keys', { key: created.body.secret, json: { credits: 1 } });
    expect(limited).toMatchObject({ status: 201, body: { manages_account: false, credits: 1 } });
    expect((await send('POST /v1/keys', limited.body.secret, '')).status).toBe(403);
  });

  it('a key is restricted from the moment in which it gets an allowance', async () => {
    const { key, keyId } = await harness.addKey(person.accountId);
    expect((await send('PUT /v1/billing/preferences', key, keyId)).status).toBe(200);
    expect((await send('POST /v1/keys/{id}/credits', person.key, keyId)).status).toBe(200);
    expect((await send('PUT /v1/billing/preferences', key, keyId)).body.error.code).toBe('KEY_RESTRICTED');
  });
});
