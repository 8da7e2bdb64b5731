import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Harness, startHarness } from '@/test/support/harness';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { collectRoutes } from './routes';

let harness: Harness;
let person: Awaited<ReturnType<Harness['person']>>;
beforeAll(async () => {
  harness = await startHarness({ env: UNLIMITED_RATES });
  person = await harness.person(10_000_000n);
});
afterAll(() => harness.close());

/** A body with a valid value for every field, by route. */
const GOOD: Record<string, Record<string, unknown>> = {
  'POST /v1/tools/call': {
    tool: 'diagnostics',
    skill: 'echo',
    input: { message: 'hi' },
    billing: 'personal',
    webhook: 'https://example.com/hooks',
    dry_run: true,
  },
  'POST /v1/tools/batch': {
    calls: [{ tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } }],
    billing: 'personal',
  },
  // Take no fields, but a body may be sent and must be an object.
  'POST /v1/auth/provision': {},
  'POST /v1/jobs/{jobId}/cancel': {},
  'POST /v1/billing/machine-topup': { amount_usd: 5, billing: 'personal' },
  'POST /v1/keys': { name: 'a key', credits: 1 },
  'PATCH /v1/keys/{id}': {
    name: 'a key',
    expires_at: '2030-01-01T00:00:00Z',
    allowed_tools: ['text'],
    allowed_ips: ['192.0.2.0/24'],
    spend_limit: { amount_usd: 1, period: 'day' },
    rate_limits: { per_minute: 1, per_hour: null, concurrent: null },
    tags: ['nightly'],
  },
  'POST /v1/keys/{id}/rotate': { grace_seconds: 60 },
  'POST /v1/keys/{id}/credits': { amount: 1 },
  'POST /v1/auth/claim': { token: 'clm_unknown' },
  'POST /v1/billing/checkout': { amount_usd: 10, save_card: true, billing: 'personal' },
  'POST /v1/billing/portal': { billing: 'personal' },
  'POST /v1/billing/invoices': { payment_id: 'pi_unknown' },
  'PUT /v1/billing/preferences': {
    autoReloadEnabled: false,
    autoReloadThreshold: 5,
    autoReloadAmount: 20,
    autoReloadDailyLimit: 100,
    budgetLimit: 10,
    billing: 'personal',
  },
  'PUT /v1/account/requirements/{name}': { value: 'sk-test-123456', label: 'a', is_default: true },
  'POST /v1/webhooks': { url: 'https://example.com/hooks', events: ['job.failed'], description: 'a' },
  'PATCH /v1/webhooks/{id}': {
    url: 'https://example.com/hooks',
    events: ['job.failed'],
    description: 'a',
    enabled: false,
  },
  'POST /v1/webhooks/{id}/rotate-secret': { overlap_hours: 24 },
  'POST /v1/webhooks/{id}/test': {},
  'POST /v1/webhooks/{id}/deliveries/{delivery_id}/replay': {},
  'POST /v1/webhooks/{id}/replay-failed': {},
  'POST /v1/reviews': { tool: 'text', rating: 5, review: 'good' },
};
/** A literal of each JSON type, as sent. */
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
  nullableString: ['string', 'null'],
  nullableList: ['null'],
  nullableObject: ['null'],
};

/** Fields that accept other types than that of their valid value. */
const KINDS: Record<string, string> = {
  rating: 'integer',
  overlap_hours: 'integer',
  grace_seconds: 'integer',
  expires_at: 'nullableString',
  spend_limit: 'nullableObject',
  rate_limits: 'nullableObject',
  allowed_tools: 'nullableList',
  allowed_ips: 'nullableList',
  budgetLimit: 'nullable',
};
/** Optional fields of bodies that models write: null means absent. */
const NULL_IS_ABSENT: Record<string, string[]> = {
  'POST /v1/tools/call': ['billing', 'webhook', 'dry_run'],
  'POST /v1/tools/batch': ['billing'],
  'POST /v1/reviews': ['review'],
};
const getKind = (field: string, value: unknown): string =>
  KINDS[field] ?? (Array.isArray(value) ? 'list' : typeof value);

describe('JSON bodies', () => {
  const bodies = collectRoutes().filter(
    (route) => route.method !== 'GET' && route.method !== 'DELETE' && route.hasInput,
  );

  it('are covered here for every route that takes one @A17', () => {
    expect(bodies.map((route) => `${route.method} ${route.template}`).sort()).toEqual(
      Object.keys(GOOD).sort(),
    );
  });

  const cases = Object.entries(GOOD).flatMap(([route, body]) =>
    Object.entries(body).flatMap(([field, value]) =>
      Object.entries(TYPES)
        .filter(([type]) => !(TAKES[getKind(field, value)] as string[]).includes(type))
        .filter(([type]) => type !== 'null' || !NULL_IS_ABSENT[route]?.includes(field))
        .map(([type, text]) => [route, field, type, text] as const),
    ),
  );
  it.each(cases)('%s refuses %s as %s @A17', async (route, field, _type, text) => {
    const [method, template] = route.split(' ') as [string, string];
    const rest = Object.entries(GOOD[route] ?? {}).filter(([name]) => name !== field);
    const raw = `{${[...rest.map(([name, value]) => `"${name}":${JSON.stringify(value)}`), `"${field}":${text}`].join(',')}}`;
    // Sent twice: the framework's own handlers coerce from the second request on.
    for (let i = 0; i < 2; i++) {
      const answer = await harness.request(method, template.replace('{id}', person.keyId), {
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
    ['invalid JSON', '{'],
    ['an array', '[]'],
    ['a string', '"x"'],
    ['a number', '5'],
    ['NaN', '{"name":NaN}'],
    ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('are refused with 400 on every route: %s', async (_, raw) => {
    for (const route of bodies) {
      const answer = await harness.request(route.method, route.template.replace('{id}', person.keyId), {
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

  it.each(Object.keys(GOOD))(
    'of %s: an unknown field is refused with the nearest known one',
    async (route) => {
      const [method, template] = route.split(' ') as [string, string];
      const path = template.replace('{id}', person.keyId);
      const good = GOOD[route] ?? {};
      const [known] = Object.keys(good);
      const unknown = known === undefined ? 'surprise' : `${known}x`;
      const answer = await harness.request(method, path, {
        key: person.key,
        json: { ...good, [unknown]: 1 },
      });
      const hint = known === undefined ? ' No fields are accepted here.' : ` Did you mean \`${known}\`?`;
      const message = `Unknown field \`${unknown}\`.${hint}`;
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 'INVALID_INPUT', fields: [{ path: unknown, message }] } },
      });
    },
  );

  it('are refused with every unknown field and its path, and nothing is executed @B3', async () => {
    const calls = [
      { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.01 } },
      { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.01 }, billing: 'team', 'a\nb': 1 },
    ];
    const before = await harness.request('GET', '/v1/billing/balance', { key: person.key });
    const answer = await harness.request('POST', '/v1/tools/batch', { key: person.key, json: { calls } });
    expect([answer.status, answer.body.error.fields]).toEqual([
      400,
      [
        {
          path: 'calls[1].billing',
          message:
            'Unknown field `billing`. Known fields: `tool`, `skill`, `input`, `max_cost_usd`, `quote_id`.',
        },
        {
          path: 'calls[1].a\nb',
          message:
            'Unknown field `a\\nb`. Known fields: `tool`, `skill`, `input`, `max_cost_usd`, `quote_id`.',
        },
      ],
    ]);
    const after = await harness.request('GET', '/v1/billing/balance', { key: person.key });
    expect(after.body).toEqual(before.body);
  });

  it('are refused for prototype names, with a short message even for many unknown fields', async () => {
    const raw = '{"name":"plain","__proto__":{"credits":9},"constructor":1}';
    const answer = await harness.request('POST', '/v1/keys', { key: person.key, raw });
    expect(answer.status).toBe(400);
    expect(answer.body.error.fields.map(({ path }: { path: string }) => path)).toEqual([
      '__proto__',
      'constructor',
    ]);
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`${'x'.repeat(60)}${at}`, 1]));
    const long = await harness.request('POST', '/v1/keys', { key: person.key, json: many });
    expect(long.status).toBe(400);
    expect(long.text.length).toBeLessThan(20_000);
  });

  it('are refused if they repeat a field of the path', async () => {
    const answer = await harness.request('POST', `/v1/keys/${person.keyId}/credits`, {
      key: person.key,
      json: { id: 'key_other', amount: 1 },
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { fields: [{ path: 'id' }] } } });
  });

  it('accept only known fields in every object, except in the input of a tool @B3', () => {
    const open: string[] = [];
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      const { type, additionalProperties } = node as { type?: unknown; additionalProperties?: unknown };
      if (type === 'object' && additionalProperties !== false) open.push(path);
      for (const [name, child] of Object.entries(node)) walk(child, `${path}.${name}`);
    };
    for (const { procedure, method, template } of bodies) {
      const [input] = (procedure._def as unknown as { inputs: z.ZodType[] }).inputs;
      if (input) walk(z.toJSONSchema(input, { io: 'input' }), `${method} ${template}`);
    }
    expect(open).toEqual([
      'POST /v1/tools/call.$defs.ToolCallRequest.properties.input',
      'POST /v1/tools/batch.$defs.BatchRequest.properties.calls.items.properties.input',
    ]);
  });

  it('are refused with 400, not 500, if PostgreSQL cannot store a string @D1', async () => {
    const answer = await harness.request('POST', '/v1/keys', {
      key: person.key,
      raw: '{"name":"a\\u0000b"}',
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_INPUT' } } });
  });

  it('are answered even with deep nesting and long lists', async () => {
    const deep = `{"tool":"diagnostics","skill":"echo","input":{"message":${'['.repeat(20000)}${']'.repeat(20000)}}}`;
    const answer = await harness.request('POST', '/v1/tools/call', { key: person.key, raw: deep });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_INPUT' } } });
  });

  it('are refused with 413 over the size limit', async () => {
    const answer = await harness.request('POST', '/v1/keys', {
      key: person.key,
      raw: Buffer.alloc(1024 * 1024 + 1, 32),
    });
    expect(answer).toMatchObject({ status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE' } } });
  });

  it('are refused with 415 for other media types', async () => {
    const answer = await harness.request('POST', '/v1/keys', {
      key: person.key,
      raw: 'name=x',
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer).toMatchObject({ status: 415, body: { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } } });
  });
});

describe('query strings', () => {
  it.each(['0', '-1', 'abc', '1.5', '', '1e309', '999', 'NaN', 'true', '%00'])(
    "are refused with 400 and the field's name for limit=%s",
    async (value) => {
      const answer = await harness.request('GET', `/v1/tools?limit=${value}`);
      expect(answer).toMatchObject({ status: 400, body: { error: { fields: [{ path: 'limit' }] } } });
    },
  );

  it('are refused with 400 if a parameter is repeated', async () => {
    expect((await harness.request('GET', '/v1/tools/search?q=a&q=b')).status).toBe(400);
  });

  it('treat prototype names as ordinary unknown parameters @D2', async () => {
    expect((await harness.request('GET', '/v1/tools?__proto__=1&constructor=2')).status).toBe(200);
  });
});
