import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../testing/harness';
import { collectRoutes } from './routes';

let harness: Harness;
let person: Awaited<ReturnType<Harness['person']>>;
beforeAll(async () => {
  harness = await startHarness({ env: { RATE_PER_MINUTE: '1000' } });
  person = await harness.person(10_000_000n);
});
afterAll(() => harness.close());

/** A body that every field of passes, by route. */
const GOOD: Record<string, Record<string, unknown>> = {
  'POST /v1/tools/call': {
    tool: 'diagnostics',
    skill: 'echo',
    input: { message: 'hi' },
    billing: 'personal',
    dry_run: true,
  },
  'POST /v1/tools/batch': {
    calls: [{ tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } }],
    billing: 'personal',
  },
  // Takes no fields: a body may be there, and must be an object.
  'POST /v1/jobs/{jobId}/cancel': {},
  'POST /v1/billing/machine-topup': { amount_usd: 5, billing: 'personal' },
  'POST /v1/keys': { name: 'a key', credits: 1 },
  'POST /v1/keys/{id}/credits': { amount: 1 },
  'POST /v1/auth/claim': { token: 'clm_unknown' },
  'POST /v1/billing/checkout': { amount_usd: 10, save_card: true, billing: 'personal' },
  'POST /v1/billing/portal': { billing: 'personal' },
  'PUT /v1/billing/preferences': {
    autoReloadEnabled: false,
    autoReloadThreshold: 5,
    autoReloadAmount: 20,
    budgetLimit: 10,
    billing: 'personal',
  },
  'PUT /v1/account/requirements/{name}': { value: 'sk-test-123456', label: 'a', is_default: true },
  'POST /v1/reviews': { tool: 'text', rating: 5, review: 'good' },
};
/** What each JSON type looks like, as it is sent. */
const TYPES: Record<string, string> = {
  string: '"5"',
  number: '5',
  fraction: '5.5',
  infinity: '1e309',
  boolean: 'true',
  null: 'null',
  array: '[5]',
  object: '{"a":1}',
};
const TAKES: Record<string, string[]> = {
  string: ['string'],
  integer: ['number'],
  number: ['number', 'fraction'],
  boolean: ['boolean'],
  nullable: ['number', 'fraction', 'null'],
  // None of the types above is a list of calls.
  list: [],
  object: ['object'],
};

/** Fields that are not of any type their good value is of. */
const KINDS: Record<string, string> = { rating: 'integer', budgetLimit: 'nullable' };
const kindOf = (field: string, value: unknown): string =>
  Array.isArray(value) ? 'list' : (KINDS[field] ?? typeof value);

describe('a JSON body is taken as it is written', () => {
  const bodies = collectRoutes().filter(
    (route) => route.method !== 'GET' && route.method !== 'DELETE' && route.hasInput,
  );

  it('every route with a body is covered here', () => {
    expect(bodies.map((route) => `${route.method} ${route.template}`).sort()).toEqual(
      Object.keys(GOOD).sort(),
    );
  });

  const cases = Object.entries(GOOD).flatMap(([route, body]) =>
    Object.entries(body).flatMap(([field, value]) =>
      Object.entries(TYPES)
        .filter(([type]) => !(TAKES[kindOf(field, value)] as string[]).includes(type))
        .map(([type, text]) => [route, field, type, text] as const),
    ),
  );
  it.each(cases)('%s refuses %s as %s', async (route, field, _type, text) => {
    const [method, template] = route.split(' ') as [string, string];
    const rest = Object.entries(GOOD[route] ?? {}).filter(([name]) => name !== field);
    const raw = `{${[...rest.map(([name, value]) => `"${name}":${JSON.stringify(value)}`), `"${field}":${text}`].join(',')}}`;
    // Sent twice: the framework's own handlers coerce from the second request on.
    for (let i = 0; i < 2; i++) {
      const answer = await harness.ask(method, template.replace('{id}', person.keyId), {
        key: person.key,
        raw,
      });
      expect(answer).toMatchObject({
        status: 400,
        body: { status: 'error', error: { code: 'INVALID_INPUT', type: 'validation' } },
      });
      expect(answer.body.error.fields[0].path).toContain(field);
    }
  });

  it.each([
    ['no JSON', '{'],
    ['an array', '[]'],
    ['a string', '"x"'],
    ['a number', '5'],
    ['NaN', '{"name":NaN}'],
    ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('a body that is %s is 400 on every route', async (_, raw) => {
    for (const route of bodies) {
      const answer = await harness.ask(route.method, route.template.replace('{id}', person.keyId), {
        key: person.key,
        raw,
      });
      expect([route.template, answer.status, answer.body.error.code]).toEqual([
        route.template,
        400,
        'INVALID_INPUT',
      ]);
    }
  });

  it('unknown fields are ignored and never written', async () => {
    const created = await harness.ask('POST', '/v1/keys', {
      key: person.key,
      raw: '{"name":"plain","account_id":"acct_other","status":"revoked","secret":"tg_live_mine","role":"owner","__proto__":{"credits":9}}',
    });
    expect(created).toMatchObject({ status: 201, body: { name: 'plain', status: 'active', credits: null } });
    expect(created.body.secret).not.toBe('tg_live_mine');
  });

  it('what Postgres cannot hold is 400, not 500', async () => {
    const answer = await harness.ask('POST', '/v1/keys', { key: person.key, raw: '{"name":"a\\u0000b"}' });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_INPUT' } } });
  });

  it('deep nesting and long lists end in an answer', async () => {
    const deep = `{"tool":"diagnostics","skill":"echo","input":{"message":${'['.repeat(20000)}${']'.repeat(20000)}}}`;
    const answer = await harness.ask('POST', '/v1/tools/call', { key: person.key, raw: deep });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_INPUT' } } });
  });

  it('a body over the limit is 413', async () => {
    const answer = await harness.ask('POST', '/v1/keys', {
      key: person.key,
      raw: Buffer.alloc(1024 * 1024 + 1, 32),
    });
    expect(answer).toMatchObject({ status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE' } } });
  });

  it('a body of another type is 415', async () => {
    const answer = await harness.ask('POST', '/v1/keys', {
      key: person.key,
      raw: 'name=x',
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer).toMatchObject({ status: 415, body: { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } } });
  });
});

describe('a query string', () => {
  it.each(['0', '-1', 'abc', '1.5', '', '1e309', '999', 'NaN', 'true', '%00'])(
    'limit=%s is 400 and named',
    async (value) => {
      const answer = await harness.ask('GET', `/v1/tools?limit=${value}`);
      expect(answer).toMatchObject({ status: 400, body: { error: { fields: [{ path: 'limit' }] } } });
    },
  );

  it('a parameter that comes twice is 400', async () => {
    expect((await harness.ask('GET', '/v1/tools/search?q=a&q=b')).status).toBe(400);
  });

  it('names of the prototype are ordinary unknown parameters', async () => {
    expect((await harness.ask('GET', '/v1/tools?__proto__=1&constructor=2')).status).toBe(200);
  });
});
