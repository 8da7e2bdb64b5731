import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { collectRoutes } from '../../api/http/routes';
import { setManagesAccount } from './set-manages-account';

let harness: Harness;
let person: Awaited<ReturnType<Harness['person']>>;
/** One key per kind of restriction, all in one account. */
const restricted: Record<string, { key: string; keyId: string }> = {};
beforeAll(async () => {
  harness = await startHarness({
    fakeStripe: true,
    env: { MACHINE_PAYMENTS_SANDBOX: '1', PROVISION_PER_HOUR: '100', ...UNLIMITED_RATES },
  });
  person = await harness.person(10_000_000n);
  restricted['an allowance'] = await harness.addKey(person.accountId, 1_000_000n);
  restricted['a spent allowance'] = await harness.addKey(person.accountId, 0n);
  restricted['an expiry'] = await ruled("expires_at = now() + interval '1 day'");
  restricted['a list of tools'] = await ruled("allowed_tools = '{diagnostics}'");
  restricted['a claim that did not allow it'] = await claimed({});
  restricted['an application'] = await harness.addKey(person.accountId);
  await harness.runtime
    .sql`update api_keys set kind = 'oauth' where id = ${restricted['an application'].keyId}`;
}, 120_000);
afterAll(() => harness.close());

const KINDS = [
  'an allowance',
  'a spent allowance',
  'an expiry',
  'a list of tools',
  'a claim that did not allow it',
  'an application',
];

async function ruled(rule: string): Promise<{ key: string; keyId: string }> {
  const made = await harness.addKey(person.accountId);
  await harness.runtime.sql.unsafe(`update api_keys set ${rule} where id = '${made.keyId}'`);
  return made;
}

async function claimed(choice: { manages_account?: boolean }): Promise<{ key: string; keyId: string }> {
  const { body } = await harness.request('POST', '/v1/auth/provision');
  const token = new URL(body.claim_url).searchParams.get('token');
  const answer = await harness.request('POST', '/v1/auth/claim', {
    key: person.key,
    json: { token, ...choice },
  });
  expect(answer.body.keys_moved).toMatchObject([{ manages_account: choice.manages_account ?? false }]);
  return { key: body.api_key, keyId: answer.body.keys_moved[0].id };
}

/** What a restricted key may still change: calls, its own files, and reviews. */
const ALLOWED = [
  'POST /v1/tools/call',
  'POST /v1/tools/batch',
  'POST /v1/jobs/{jobId}/cancel',
  'POST /v1/assets/upload',
  'DELETE /v1/assets/{assetId}',
  'POST /v1/reviews',
];
const BODIES: Record<string, object> = {
  'POST /v1/billing/checkout': { amount_usd: 10 },
  'POST /v1/billing/portal': {},
  'POST /v1/billing/invoices': { payment_id: 'pi_unknown' },
  'PUT /v1/billing/preferences': { budgetLimit: null },
  'POST /v1/billing/machine-topup': { amount_usd: 5 },
  'POST /v1/keys': { name: 'wider' },
  'POST /v1/keys/{id}/credits': { amount: 100 },
  'DELETE /v1/keys/{id}': {},
  'PATCH /v1/keys/{id}': { tags: ['wider'] },
  'POST /v1/keys/{id}/rotate': { grace_seconds: 60 },
  'POST /v1/auth/claim': { token: 'clm_unknown' },
  'PUT /v1/account/requirements/{name}': { value: 'sk-test-0123456789' },
  'DELETE /v1/account/requirements/{name}': {},
  'POST /v1/webhooks': { url: 'https://example.com/hooks', events: ['job.failed'] },
  'PATCH /v1/webhooks/{id}': { enabled: true },
  'DELETE /v1/webhooks/{id}': {},
  'POST /v1/webhooks/{id}/rotate-secret': {},
  'POST /v1/webhooks/{id}/test': {},
  'POST /v1/webhooks/{id}/deliveries/{delivery_id}/replay': {},
  'POST /v1/webhooks/{id}/replay-failed': {},
};

const changing = collectRoutes()
  .filter(({ method, needsKey }) => method !== 'GET' && needsKey)
  .map(({ method, template }) => `${method} ${template}`)
  .filter((route) => !ALLOWED.includes(route));

function send(route: string, key: string, keyId: string) {
  const [method = '', template = ''] = route.split(' ');
  const path = template.replace('{id}', keyId).replace('{name}', 'openai');
  const json = BODIES[route];
  return harness.request(method, path, { key, json: method === 'DELETE' ? undefined : json });
}

async function snapshot() {
  const { sql } = harness.runtime;
  return {
    keys: await sql`select id, account_id, name, credits_microusd, revoked_at from api_keys order by id`,
    accounts: await sql`select id, budget_limit_microusd, auto_reload_enabled from accounts order by id`,
    orders: await sql`select id from orders`,
    credentials: await sql`select id from credentials`,
    webhooks: await sql`select id from webhook_endpoints`,
    idempotency: await sql`select key from idempotency_keys`,
  };
}

describe('a restricted key cannot extend its rights', () => {
  it('this file covers every route that changes something @F8', () => {
    expect([...changing].sort()).toEqual(Object.keys(BODIES).sort());
  });

  it.each(KINDS)(
    'with %s: every route that manages the account returns KEY_RESTRICTED and changes nothing @F8',
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

  it.each(KINDS)('with %s: it can read what it needs and call free tools', async (kind) => {
    const { key } = restricted[kind] ?? { key: '' };
    for (const path of ['/v1/billing/balance', '/v1/billing/preferences', '/v1/usage'])
      expect((await harness.request('GET', path, { key })).status).toBe(200);
    const json = { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } };
    expect((await harness.request('POST', '/v1/tools/call', { key, json })).status).toBe(200);
  });

  it('a key that was claimed with manages_account can manage the account, and so can the keys it creates @F19', async () => {
    const { key } = await claimed({ manages_account: true });
    const created = await harness.request('POST', '/v1/keys', { key });
    expect(created).toMatchObject({ status: 201, body: { manages_account: true } });
    const limited = await harness.request('POST', '/v1/keys', {
      key: created.body.secret,
      json: { credits: 1 },
    });
    expect(limited).toMatchObject({ status: 201, body: { manages_account: false, credits: 1 } });
    expect((await send('POST /v1/keys', limited.body.secret, '')).status).toBe(403);
  });

  it('a person can change in the browser whether a key manages the account, except for a key with an allowance or rules @F8', async () => {
    const session = createSessionActor(person);
    const { key, keyId } = await claimed({});
    const set = (id: string, manages_account: boolean) =>
      setManagesAccount(harness.runtime, session, { id, manages_account });
    for (const manages of [true, false]) {
      expect(await set(keyId, manages)).toMatchObject({ id: keyId, manages_account: manages });
      const { status } = await send('PUT /v1/billing/preferences', key, keyId);
      expect(status).toBe(manages ? 200 : 403);
    }
    const [audit] = await harness.runtime.sql`select details from audit_events
      where action = 'key.set_manages_account' and target = ${keyId} order by id desc limit 1`;
    expect(audit?.details).toEqual({ manages_account: false });
    const limited = restricted['an allowance']?.keyId ?? '';
    await expect(set(limited, true)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const { keyId: ruled } = await harness.addKey(person.accountId);
    await harness.runtime.sql`update api_keys set allowed_ips = '{127.0.0.1/32}' where id = ${ruled}`;
    await expect(set(ruled, true)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const others = await harness.person();
    const applications = restricted['an application']?.keyId ?? '';
    for (const id of [others.keyId, applications, 'key_unknown'])
      await expect(set(id, true)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('a key is restricted as soon as it has an allowance @F8', async () => {
    const { key, keyId } = await harness.addKey(person.accountId);
    expect((await send('PUT /v1/billing/preferences', key, keyId)).status).toBe(200);
    expect((await send('POST /v1/keys/{id}/credits', person.key, keyId)).status).toBe(200);
    expect((await send('PUT /v1/billing/preferences', key, keyId)).body.error.code).toBe('KEY_RESTRICTED');
  });
});

const ask = (key: string, method: string, path: string, json?: object) =>
  harness.request(method, path, { key, json, headers: { prefer: 'wait=0' } });
const restrictedKey = (kind: string) => restricted[kind] ?? { key: '', keyId: '' };
async function startJob(key: string): Promise<string> {
  const json = { tool: 'diagnostics', skill: 'sleep', input: { seconds: 60 } };
  const { status, body } = await ask(key, 'POST', '/v1/tools/call', json);
  expect(status).toBe(202);
  return body.job_id;
}

describe('a restricted key sees only the work of its own calls', () => {
  it.each(KINDS)('with %s: it can neither read nor cancel the jobs of another key @F8', async (kind) => {
    const { key } = restrictedKey(kind);
    const others = await startJob(person.key);
    const unknown = 'job_00000000000000000000000000';
    for (const id of [others, unknown]) {
      const read = await ask(key, 'GET', `/v1/jobs/${id}`);
      expect([read.status, read.body.error.code]).toEqual([404, 'NOT_FOUND']);
      expect((await ask(key, 'GET', `/v1/jobs/${id}/events`)).status).toBe(404);
      const cancelled = await ask(key, 'POST', `/v1/jobs/${id}/cancel`, {});
      expect([cancelled.status, cancelled.body.error.code]).toEqual([400, 'JOB_NOT_RUNNING']);
    }
    expect((await ask(person.key, 'GET', `/v1/jobs/${others}`)).body.status).toBe('running');

    const own = await startJob(key);
    expect((await ask(key, 'GET', `/v1/jobs/${own}`)).body.status).toBe('running');
    expect((await ask(key, 'POST', `/v1/jobs/${own}/cancel`, {})).body.cancelled).toBe(true);
    // An unrestricted key can see and cancel the jobs of the account.
    expect((await ask(person.key, 'GET', `/v1/jobs/${own}`)).body.status).toBe('cancelled');
    expect((await ask(person.key, 'POST', `/v1/jobs/${others}/cancel`, {})).body.cancelled).toBe(true);
  });

  it.each(KINDS)('with %s: it sees only its own usage @F8', async (kind) => {
    const { key, keyId } = restrictedKey(kind);
    const echo = { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } };
    for (const each of [person.key, key]) await ask(each, 'POST', '/v1/tools/call', echo);
    const { body } = await ask(key, 'GET', '/v1/usage');
    expect(body.key_id).toBe(keyId);
    expect(body.by_key.map((row: { key_id: string }) => row.key_id)).toEqual([keyId]);
    const { records } = (await ask(key, 'GET', '/v1/usage/history')).body;
    expect(new Set(records.map((row: { key_id: string }) => row.key_id))).toEqual(new Set([keyId]));
    for (const path of ['/v1/usage', '/v1/usage/history'])
      expect((await ask(key, 'GET', `${path}?key_id=${person.keyId}`)).status).toBe(404);
    expect((await ask(person.key, 'GET', `/v1/usage?key_id=${keyId}`)).status).toBe(200);
    expect((await ask(person.key, 'GET', '/v1/usage')).body.by_key.length).toBeGreaterThan(1);
  });

  it.each(KINDS)('with %s: it cannot review a tool that its account has not called @F8', async (kind) => {
    const { key } = restrictedKey(kind);
    const refused = await ask(key, 'POST', '/v1/reviews', { tool: 'text', rating: 1 });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'KEY_RESTRICTED']);
    const echo = { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } };
    await ask(person.key, 'POST', '/v1/tools/call', echo);
    const accepted = await ask(key, 'POST', '/v1/reviews', { tool: 'diagnostics', rating: 4 });
    expect(accepted).toMatchObject({ status: 200, body: { verified: true } });
  });

  it('lists the files of the account over MCP for unrestricted keys and applications @F8', async () => {
    const form = new FormData();
    form.set('file', new Blob(['hello']), 'hello.txt');
    const upload = new Response(form);
    const headers = { 'content-type': upload.headers.get('content-type') ?? '' };
    const raw = Buffer.from(await upload.arrayBuffer());
    await harness.request('POST', '/v1/assets/upload', { key: person.key, raw, headers });
    const listed = async (key: string) => {
      const json = { jsonrpc: '2.0', id: 1, method: 'resources/list' };
      const { text } = await harness.request('POST', '/mcp', { key, json });
      return text.split('asset://').length - 1;
    };
    expect(await listed(person.key)).toBe(1);
    expect(await listed(restrictedKey('an application').key)).toBe(1);
    expect(await listed(restrictedKey('an allowance').key)).toBe(0);
    expect(await listed(restrictedKey('a claim that did not allow it').key)).toBe(0);
  });
});

describe('an application charges only the account on its consent page', () => {
  it('the personal account, never a team: neither by calls, batches nor dry runs; it sees no balance of a team @F8', async () => {
    const team = await harness.team(person.userId, 'consent', 5_000_000n);
    const { key } = restrictedKey('an application');
    const spend = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.01 } };
    for (const billing of ['team', 'consent']) {
      const requests = [
        ['/v1/tools/call', { ...spend, billing }],
        ['/v1/tools/call', { ...spend, billing, dry_run: true }],
        ['/v1/tools/batch', { calls: [spend], billing }],
      ] as const;
      for (const [path, json] of requests) {
        const { status, body } = await harness.request('POST', path, { key, json });
        expect([status, body.error]).toMatchObject([
          403,
          { code: 'FORBIDDEN', fields: [{ path: 'billing' }] },
        ]);
      }
    }
    const { body } = await harness.request('GET', '/v1/billing/balance', { key });
    expect(body.accounts.map(({ id }: { id: string }) => id)).toEqual([person.accountId]);
    const [account] = await harness.runtime
      .sql`select balance_microusd as balance from accounts where id = ${team}`;
    expect(account?.balance).toBe(5_000_000n);
    // To succeed, a call must name no team, or use an API key of the person.
    expect((await harness.request('POST', '/v1/tools/call', { key, json: spend })).status).toBe(200);
    const json = { ...spend, billing: 'consent' };
    expect((await harness.request('POST', '/v1/tools/call', { key: person.key, json })).status).toBe(200);
  });
});
