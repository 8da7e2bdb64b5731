import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listAssetsInput } from '../../assets/schema';
import { createAuthAdapter } from '../../identity/sessions/adapter';
import { sessionCookieName } from '../../identity/sessions/session-token';
import { reconcile } from '../../money/reconcile/reconcile';
import { type Answer, type Harness, startHarness } from '../../testing/harness';
import { measureCpuMs } from '../../testing/measure-cpu-ms';
import { UNLIMITED_RATES } from '../../testing/unlimited-rates';
import { appRouter } from '../root';
import { handleTrpc } from '../trpc/handler';
import { downloadCalls } from './calls-download';
import { downloadStatement } from './statement-download';

let harness: Harness;
let person: Awaited<ReturnType<Harness['person']>>;
let cookie: string;
beforeAll(async () => {
  harness = await startHarness({
    fakeStripe: true,
    env: { ...UNLIMITED_RATES, PUBLIC_ASSETS_PER_MINUTE: '100000' },
  });
  globalThis.__gateway = { runtime: harness.runtime };
  person = await harness.person(10_000_000n);
  const sessionToken = `token of ${person.userId}`;
  const expires = new Date(Date.now() + 3_600_000);
  await createAuthAdapter(harness.runtime).createSession?.({ sessionToken, userId: person.userId, expires });
  cookie = `${sessionCookieName(harness.baseUrl)}=${sessionToken}`;
});
afterAll(async () => {
  globalThis.__gateway = undefined;
  await harness.close();
});

const ask = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
  harness.request(method, path, { key: person.key, ...(json === undefined ? {} : { json }), headers });

/** Longer than any response takes, even on a busy machine. */
/** Longer than a statement may run: one that sleeps fails the request. */
const SLEEP_SECONDS = 600;
const INJECTIONS = [
  `'||(select pg_sleep(${SLEEP_SECONDS}))||'`,
  `1;select pg_sleep(${SLEEP_SECONDS})--`,
  `') or 1=(select 1 from pg_sleep(${SLEEP_SECONDS}))--`,
  `") or pg_sleep(${SLEEP_SECONDS}) is null--`,
  "x'; update api_keys set revoked_at = now(); --",
  "x'); drop table api_keys cascade; --",
  `id desc, (select pg_sleep(${SLEEP_SECONDS}))`,
  "\\'; select 1; --",
  `$$;select pg_sleep(${SLEEP_SECONDS});$$`,
  "' union select key_hash, mask from api_keys --",
];

/** A request that carries the text, for each string that the API accepts. */
const PLACES: Record<string, (text: string) => Promise<Answer>> = {
  'the category of tools': (text) => ask('GET', `/v1/tools?category=${encodeURIComponent(text)}`),
  'a search': (text) => ask('GET', `/v1/tools/search?q=${encodeURIComponent(text)}`),
  'the name of a tool': (text) => ask('GET', `/v1/tools/${encodeURIComponent(text)}`),
  'the skills of a tool': (text) => ask('GET', `/v1/tools/${encodeURIComponent(text)}/skills`),
  'the tool of a call': (text) => ask('POST', '/v1/tools/call', { tool: text, skill: 'echo', input: {} }),
  'the skill of a call': (text) =>
    ask('POST', '/v1/tools/call', { tool: 'diagnostics', skill: text, input: {} }),
  'the input of a call': (text) =>
    ask('POST', '/v1/tools/call', { tool: 'diagnostics', skill: 'echo', input: { message: text } }),
  'the account of a call': (text) =>
    ask('POST', '/v1/tools/call', {
      tool: 'diagnostics',
      skill: 'echo',
      input: { message: 'a' },
      billing: text,
    }),
  'a key of idempotency': (text) =>
    ask(
      'POST',
      '/v1/tools/call',
      { tool: 'diagnostics', skill: 'echo', input: { message: 'a' } },
      { 'idempotency-key': text },
    ),
  'a job': (text) => ask('GET', `/v1/jobs/${encodeURIComponent(text)}`),
  'a job to cancel': (text) => ask('POST', `/v1/jobs/${encodeURIComponent(text)}/cancel`),
  'an asset': (text) => ask('GET', `/v1/assets/${encodeURIComponent(text)}`),
  'the facts of an asset': (text) => ask('GET', `/v1/assets/${encodeURIComponent(text)}/meta`),
  'a hosted file': (text) => ask('GET', `/files/${encodeURIComponent(text)}/${encodeURIComponent(text)}`),
  'a claim': (text) => ask('POST', '/v1/auth/claim', { token: text }),
  'the account of preferences': (text) =>
    ask('GET', `/v1/billing/preferences?billing=${encodeURIComponent(text)}`),
  'the account of a checkout': (text) =>
    ask('POST', '/v1/billing/checkout', { amount_usd: 5, billing: text }),
  'the name of a key': (text) => ask('POST', '/v1/keys', { name: text }),
  'a key': (text) => ask('GET', `/v1/keys/${encodeURIComponent(text)}`),
  'a key to revoke': (text) => ask('DELETE', `/v1/keys/${encodeURIComponent(text)}`),
  'the key of usage': (text) => ask('GET', `/v1/usage?key_id=${encodeURIComponent(text)}`),
  'the period of usage': (text) => ask('GET', `/v1/usage?period=${encodeURIComponent(text)}`),
  'the cursor of history': (text) => ask('GET', `/v1/usage/history?cursor=${encodeURIComponent(text)}`),
  'a packed cursor of history': (text) =>
    ask('GET', `/v1/usage/history?cursor=${Buffer.from(text).toString('base64url')}`),
  'the key of history': (text) => ask('GET', `/v1/usage/history?key_id=${encodeURIComponent(text)}`),
  'the URL of a webhook': (text) => ask('POST', '/v1/webhooks', { url: text, events: ['job.failed'] }),
  'the note of a webhook': (text) =>
    ask('POST', '/v1/webhooks', {
      url: 'https://example.com/hooks',
      events: ['job.failed'],
      description: text,
    }),
  'a webhook': (text) => ask('GET', `/v1/webhooks/${encodeURIComponent(text)}`),
  'the webhook of a call': (text) =>
    ask('POST', '/v1/tools/call', { tool: 'diagnostics', skill: 'echo', input: {}, webhook: text }),
  'a review': (text) => ask('POST', '/v1/reviews', { tool: 'diagnostics', rating: 5, review: text }),
  'the tool of a review': (text) => ask('POST', '/v1/reviews', { tool: text, rating: 5 }),
  'a provider': (text) =>
    ask('PUT', `/v1/account/requirements/${encodeURIComponent(text)}`, { value: 'sk-0123456789' }),
  'the label of a provider’s key': (text) =>
    ask('PUT', '/v1/account/requirements/openai', { value: 'sk-0123456789', label: text }),
  'the label of a key to remove': (text) =>
    ask('DELETE', `/v1/account/requirements/openai?label=${encodeURIComponent(text)}`),
  'a secret': (text) => harness.request('GET', '/v1/keys', { key: text }),
  'an id of a request': (text) => ask('GET', '/v1/keys', undefined, { 'x-request-id': text }),
  'the name of a program': (text) => ask('GET', '/v1/keys', undefined, { 'user-agent': text }),
};

async function queryProcedure(name: string, input: unknown): Promise<{ status: number; text: string }> {
  const url = `${harness.baseUrl}/api/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`;
  const response = await handleTrpc(new Request(url, { headers: { cookie } }), harness.runtime);
  expect(Object.keys(appRouter._def.procedures)).toContain(name);
  return { status: response.status, text: await response.text() };
}

/** Filters, orders and cursors of pages, which the API does not have. */
const PAGE_QUERIES: Record<string, (text: string) => Promise<{ status: number; text: string }>> =
  Object.fromEntries([
    ...(['tool', 'cursor', 'key_id', 'member', 'status', 'skill', 'from', 'billing'] as const).map(
      (field) => [
        `usage.calls by ${field}`,
        (text: string) => queryProcedure('usage.calls', { [field]: text }),
      ],
    ),
    ...Object.keys(listAssetsInput.shape).map((field) => [
      `assets.list by ${field}`,
      (text: string) => queryProcedure('assets.list', { [field]: text }),
    ]),
    ...(['cursor', 'kind', 'from', 'billing'] as const).map((field) => [
      `billing.statement by ${field}`,
      (text: string) => queryProcedure('billing.statement', { [field]: text }),
    ]),
    ...(['cursor', 'billing'] as const).map((field) => [
      `billing.payments by ${field}`,
      (text: string) => queryProcedure('billing.payments', { [field]: text }),
    ]),
    ...(['tool', 'key_id', 'cursor', 'status'] as const).map((field) => [
      `jobs.listOwn by ${field}`,
      (text: string) => queryProcedure('jobs.listOwn', { [field]: text }),
    ]),
    ...(['tool', 'sort', 'cursor'] as const).map((field) => [
      `reviews.ofTool by ${field}`,
      (text: string) => queryProcedure('reviews.ofTool', { tool: 'math', [field]: text }),
    ]),
    ...(['tool', 'member', 'key_id', 'from'] as const).map((field) => [
      `the file of calls by ${field}`,
      (text: string) => download('calls', field, text),
    ]),
    ...(['kind', 'from', 'billing'] as const).map((field) => [
      `the file of the statement by ${field}`,
      (text: string) => download('statement', field, text),
    ]),
  ]);

async function download(file: 'calls' | 'statement', field: string, text: string) {
  const url = `${harness.baseUrl}/dashboard/x.csv?${field}=${encodeURIComponent(text)}`;
  const answer = file === 'calls' ? downloadCalls : downloadStatement;
  const response = await answer(new Request(url, { headers: { cookie } }));
  return { status: response.status, text: await response.text() };
}

const LEAK = /syntax error|PostgresError|pg_sleep\(.*\) at|relation "|Failed query/i;

describe('SQL in a string', () => {
  it.each(Object.entries({ ...PLACES, ...PAGE_QUERIES }))('is only a string as %s', async (_, place) => {
    for (const text of INJECTIONS) {
      const { status, text: answered } = await place(text);
      expect([status < 500, LEAK.test(answered)], `${text}: ${status} ${answered}`).toEqual([true, false]);
    }
  });

  it('changes nothing: the key works, every table exists and the ledger is consistent', async () => {
    expect((await ask('GET', '/v1/billing/balance')).status).toBe(200);
    const [revoked] = await harness.runtime
      .sql`select count(*)::int as n from api_keys where revoked_at is not null`;
    expect(revoked?.n).toBe(0);
    expect((await reconcile(harness.runtime)).differences).toEqual([]);
    expect(harness.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

describe('prototype names', () => {
  const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

  it.each(NAMES)('are unknown as names everywhere: %s', async (name) => {
    for (const path of [
      `/v1/tools/${name}`,
      `/v1/tools/${name}/skills`,
      `/v1/keys/${name}`,
      `/v1/jobs/${name}`,
    ])
      expect([path, (await ask('GET', path)).status]).toEqual([path, 404]);
    const call = (tool: string, skill: string) => ask('POST', '/v1/tools/call', { tool, skill, input: {} });
    expect((await call(name, 'x')).body.error.code).toBe('TOOL_NOT_FOUND');
    expect((await call('math', name)).body.error.code).toBe('SKILL_NOT_FOUND');
    const saved = await ask('PUT', `/v1/account/requirements/${name}`, { value: 'sk-0123456789' });
    expect(saved.status).toBe(404);
    expect((await ask('GET', `/v1/tools?category=${name}`)).body).toEqual({ tools: [] });
    const header = { [`x-provider-key-${name}`]: 'x' };
    const json = { tool: 'diagnostics', skill: 'echo', input: { message: 'a' } };
    expect((await ask('POST', '/v1/tools/call', json, header)).status).toBe(200);
  });

  it('in the input of a call pollute nothing', async () => {
    for (const raw of [
      '{"tool":"diagnostics","skill":"echo","input":{"message":"a","__proto__":{"polluted":1}}}',
      '{"tool":"diagnostics","skill":"echo","input":{"message":"a","constructor":{"prototype":{"polluted":1}}}}',
      '{"__proto__":{"dry_run":true},"tool":"diagnostics","skill":"echo","input":{"message":"a"}}',
      '{"tool":"data","skill":"query","input":{"data":{"__proto__":{"polluted":1}},"expression":"a"}}',
    ]) {
      const answer = await harness.request('POST', '/v1/tools/call', { key: person.key, raw });
      expect(answer.status).toBeLessThan(500);
      // A dry run that nothing requested would report whether the input is valid.
      expect(answer.body).not.toHaveProperty('input_valid');
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('a search', () => {
  const QUERIES = [
    'a '.repeat(250).trim(),
    '%'.repeat(500),
    '_%'.repeat(250),
    "a & b | !c <-> 'd':*",
    '('.repeat(500),
    'a'.repeat(500),
    'aaaaaaaaaaaaaaaaaaaaaaaa!'.repeat(20),
    '\\'.repeat(500),
    '🤖'.repeat(120),
    'résumé '.repeat(70),
  ];

  it.each(QUERIES)('for %s ends within two seconds', async (q) => {
    // CPU time, as the index is in this process.
    const ms = await measureCpuMs(async () => {
      expect((await ask('GET', `/v1/tools/search?q=${encodeURIComponent(q)}`)).status).toBe(200);
    });
    expect(ms).toBeLessThan(2_000);
  });

  it('is refused if it is too long', async () => {
    for (const q of ['a'.repeat(6_000), 'a '.repeat(900)])
      expect((await ask('GET', `/v1/tools/search?q=${encodeURIComponent(q)}`)).status).toBe(400);
  });
});

describe('Unicode in names', () => {
  it('is stored exactly as sent', async () => {
    for (const name of [
      'caf\u00e9',
      'cafe\u0301',
      'р\u0430y',
      '\u202eevil',
      '🤖'.repeat(50),
      'ＡＢＣ',
      '<b>x</b>',
    ]) {
      const created = await ask('POST', '/v1/keys', { name });
      expect([created.status, created.body.name]).toEqual([201, name]);
      const read = await ask('GET', `/v1/keys/${created.body.id}`);
      expect(read.body.name).toBe(name);
    }
    const names = (await ask('GET', '/v1/keys')).body.keys.map((key: { name: string }) => key.name);
    // Two normal forms of one word are two names: nothing is normalised silently.
    expect(names).toEqual(expect.arrayContaining(['caf\u00e9', 'cafe\u0301']));
  });

  it('does not make a tool name from look-alike letters', async () => {
    for (const name of ['m\u0430th', 'ｍａｔｈ', 'math\u200b', 'MATH', 'math\u0301'])
      expect((await ask('GET', `/v1/tools/${encodeURIComponent(name)}`)).status, name).toBe(404);
  });
});
