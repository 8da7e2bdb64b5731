import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe, PROBE_PRICE } from '@/test/support/probe-tool';
import { collectRoutes } from '../../api/http/routes';

const probe = createProbe();
let harness: Harness;
let person: Awaited<ReturnType<Harness['person']>>;
beforeAll(async () => {
  harness = await startHarness({ tools: [probe.tool] });
  person = await harness.person(1_000_000n);
});
afterAll(() => harness.close());

const send = (method: string, path: string, json?: unknown, key = person.key) =>
  harness.request(method, path, { key, json });
const create = async (json: object) => (await send('POST', '/v1/keys', json)).body;
const patch = (id: string, json: object, key = person.key) => send('PATCH', `/v1/keys/${id}`, json, key);
const call = (key: string, skill = 'ok', ip = '127.0.0.1') =>
  harness.request('POST', '/v1/tools/call', { key, ip, json: { tool: 'probe', skill, input: {} } });
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

describe('the rules of a key', () => {
  it('are set on creation, shown, changed one by one and removed with null', async () => {
    const rules = {
      expires_at: inAnHour(),
      allowed_tools: ['probe.ok', 'probe.ok_paid'],
      allowed_ips: ['127.0.0.1', '2001:DB8::/32'],
      spend_limit: { amount_usd: 0.5, period: 'week' },
      rate_limits: { per_minute: 7, concurrent: 2 },
      tags: ['staging', 'nightly', 'staging'],
    };
    const { id, secret: _, ...created } = await create({ name: 'governed', ...rules });
    const shown = {
      ...rules,
      manages_account: false,
      expired: false,
      allowed_ips: ['127.0.0.1/32', '2001:db8::/32'],
      spend_limit: { amount_usd: 0.5, period: 'week', spent_usd: 0, resets_at: expect.any(String) },
      rate_limits: { per_minute: 7, per_hour: null, concurrent: 2 },
      tags: ['staging', 'nightly'],
      previous_secret_expires_at: null,
    };
    expect(created).toMatchObject(shown);
    expect((await send('GET', `/v1/keys/${id}`)).body).toMatchObject(shown);
    const { body } = await patch(id, { allowed_tools: null, tags: [], name: 'renamed' });
    expect(body).toMatchObject({ ...shown, name: 'renamed', allowed_tools: null, tags: [] });
    const none = { expires_at: null, allowed_ips: null, spend_limit: null, rate_limits: null };
    expect((await patch(id, none)).body).toMatchObject({ ...none, manages_account: true });
  });

  it.each([
    ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }, 'future'],
    ['expires_at', { expires_at: 'tomorrow' }, ''],
    ['allowed_tools[1]', { allowed_tools: ['probe', 'prob'] }, 'Did you mean `probe`?'],
    ['allowed_tools[0]', { allowed_tools: ['probe.okk'] }, 'Did you mean `ok`?'],
    ['allowed_tools', { allowed_tools: [] }, ''],
    ['allowed_ips[0]', { allowed_ips: ['10.0.0.0/33'] }, 'network'],
    ['allowed_ips[0]', { allowed_ips: ['fe80::1%eth0'] }, 'network'],
    ['allowed_ips[0]', { allowed_ips: ['example.com'] }, 'network'],
    ['spend_limit.amount_usd', { spend_limit: { amount_usd: 0, period: 'day' } }, ''],
    ['spend_limit.period', { spend_limit: { amount_usd: 1, period: 'year' } }, ''],
    ['rate_limits.per_minute', { rate_limits: { per_minute: 61 } }, 'at most 60'],
    ['rate_limits.concurrent', { rate_limits: { concurrent: 6 } }, 'at most 5'],
    ['tags', { tags: Array.from({ length: 11 }, (_, n) => `tag ${n}`) }, ''],
    ['tags[0]', { tags: ['x'.repeat(41)] }, ''],
  ])('that cannot be met are refused, naming %s: %j', async (path, json, text) => {
    const { status, body } = await send('POST', '/v1/keys', json);
    expect(status).toBe(400);
    expect(body.error.fields[0].path).toBe(path);
    expect(body.error.fields[0].message).toContain(text);
  });

  it('keep a tool that has been removed, so that the other rules can be changed', async () => {
    const { id } = await create({ allowed_tools: ['probe.ok'] });
    await harness.runtime
      .sql`update api_keys set allowed_tools = '{removed.skill,probe.ok}' where id = ${id}`;
    const kept = { allowed_tools: ['removed.skill', 'probe.ok'], expires_at: inAnHour() };
    expect((await patch(id, kept)).body).toMatchObject(kept);
    expect((await patch(id, { allowed_tools: ['probe.ok'] })).body.allowed_tools).toEqual(['probe.ok']);
    expect((await patch(id, kept)).body.error.fields[0].path).toBe('allowed_tools[0]');
  });

  it('show the secret before a rotation only while it works', async () => {
    const { id } = await create({});
    await send('POST', `/v1/keys/${id}/rotate`, { grace_seconds: 60 });
    const readEnd = async () => (await send('GET', `/v1/keys/${id}`)).body.previous_secret_expires_at;
    expect(await readEnd()).toEqual(expect.any(String));
    await harness.runtime.sql`update api_keys set expires_at = now() where id = ${id}`;
    expect(await readEnd()).toBeNull();
    await harness.runtime.sql`update api_keys set expires_at = null, revoked_at = now() where id = ${id}`;
    expect(await readEnd()).toBeNull();
  });

  it('make a key restricted, and no key changes its own @F8', async () => {
    const { id, secret } = await create({ expires_at: inAnHour() });
    for (const [method, path, json] of [
      ['POST', '/v1/keys', {}],
      ['PATCH', `/v1/keys/${id}`, { expires_at: null }],
      ['PATCH', `/v1/keys/${person.keyId}`, { tags: ['mine'] }],
      ['POST', `/v1/keys/${id}/rotate`, {}],
      ['POST', `/v1/keys/${person.keyId}/rotate`, { grace_seconds: 60 }],
      ['POST', '/v1/auth/claim', { token: 'clm_unknown' }],
    ] as const)
      expect((await send(method, path, json, secret)).body.error.code).toBe('KEY_RESTRICTED');
    const own = await patch(person.keyId, { allowed_ips: ['203.0.113.0/24'] });
    expect(own.body.error).toMatchObject({ code: 'KEY_RESTRICTED', message: expect.stringContaining('own') });
    expect((await patch(person.keyId, { tags: ['main'] })).body.tags).toEqual(['main']);
  });

  it('belong to one account: another account gets the same error as for an unknown id', async () => {
    const other = await harness.person();
    for (const id of [person.keyId, 'key_unknown']) {
      expect((await patch(id, { tags: [] }, other.key)).status).toBe(404);
      expect((await send('POST', `/v1/keys/${id}/rotate`, {}, other.key)).status).toBe(404);
    }
  });
});

describe('a call', () => {
  it('of a tool or skill outside the list is refused; a batch fails that element only', async () => {
    const { secret } = await create({ allowed_tools: ['probe.ok'] });
    expect((await call(secret)).status).toBe(200);
    const { status, body } = await call(secret, 'ok_paid');
    expect([status, body.error.code, body.error.billed]).toEqual([403, 'TOOL_NOT_ALLOWED', false]);
    expect(body.error.message).toContain('probe.ok');
    const json = { tool: 'probe', skill: 'ok_paid', input: {}, dry_run: true };
    expect((await send('POST', '/v1/tools/call', json, secret)).body.error.code).toBe('TOOL_NOT_ALLOWED');
    const calls = ['ok', 'ok_paid'].map((skill) => ({ tool: 'probe', skill, input: {} }));
    const { results } = (await send('POST', '/v1/tools/batch', { calls }, secret)).body;
    expect(results).toMatchObject([{ status: 'success' }, { error: { code: 'TOOL_NOT_ALLOWED' } }]);
  });

  it.each([
    ['203.0.113.7', true],
    ['::ffff:203.0.113.7', true],
    ['203.0.114.7', false],
    ['2001:db8:1::5', true],
    ['2001:db9::5', false],
    ['not an address', false],
  ])('from %s is admitted: %s', async (ip, isAllowed) => {
    const { secret } = await create({ allowed_ips: ['203.0.113.0/24', '2001:db8::/32'] });
    // The second one finds the key in the cache of the process.
    for (const _ of [1, 2]) {
      const { status, body } = await call(secret, 'ok', ip);
      expect([status, body.error?.code]).toEqual(isAllowed ? [200, undefined] : [403, 'IP_NOT_ALLOWED']);
    }
  });

  it('beyond the spending limit is refused until the next period, and failed calls do not count', async () => {
    const { id, secret } = await create({ spend_limit: { amount_usd: 0.00025, period: 'day' } });
    expect((await call(secret, 'fail_paid')).status).toBe(502);
    for (const _ of [1, 2]) expect((await call(secret, 'ok_paid')).status).toBe(200);
    const { status, headers, body } = await call(secret, 'ok_paid');
    expect([status, body.error.code, body.error.limit]).toEqual([429, 'SPENDING_LIMIT_EXCEEDED', 'key']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(86_400);
    expect((await call(secret)).status).toBe(200);
    expect((await send('GET', `/v1/keys/${id}`)).body.spend_limit.spent_usd).toBe(0.0002);
    await harness.runtime
      .sql`update api_keys set spend_since = spend_since - interval '1 day' where id = ${id}`;
    expect((await send('GET', `/v1/keys/${id}`)).body.spend_limit.spent_usd).toBe(0);
    expect((await call(secret, 'ok_paid')).status).toBe(200);
    expect((await send('GET', `/v1/keys/${id}`)).body.spend_limit.spent_usd).toBe(0.0001);
  });

  it('counts in the period of its admission, although it ends in the next', async () => {
    const { id, secret } = await create({ spend_limit: { amount_usd: 0.0001, period: 'month' } });
    const { sql } = harness.runtime;
    const old = call(secret, 'wait_paid');
    await probe.waitUntilStarted('');
    expect((await call(secret, 'ok_paid')).body.error.code).toBe('SPENDING_LIMIT_EXCEEDED');
    await sql`update api_keys set spend_since = spend_since - interval '1 month' where id = ${id}`;
    await sql`update calls set created_at = created_at - interval '1 month' where key_id = ${id}`;
    expect((await call(secret, 'ok_paid')).status).toBe(200);
    probe.release('');
    expect((await old).body.status).toBe('success');
    const [row] = await sql`select spend_microusd as spent from api_keys where id = ${id}`;
    expect(row).toEqual({ spent: PROBE_PRICE });
    expect((await call(secret, 'ok_paid')).body.error.code).toBe('SPENDING_LIMIT_EXCEEDED');
  });

  it('after the limit was lowered below what is spent is refused; another period begins at nothing', async () => {
    const { id, secret } = await create({ spend_limit: { amount_usd: 0.001, period: 'day' } });
    for (const _ of [1, 2, 3]) expect((await call(secret, 'ok_paid')).status).toBe(200);
    const lowered = await patch(id, { spend_limit: { amount_usd: 0.0002, period: 'day' } });
    expect(lowered.body.spend_limit).toMatchObject({ amount_usd: 0.0002, spent_usd: 0.0003 });
    expect((await call(secret, 'ok_paid')).body.error.code).toBe('SPENDING_LIMIT_EXCEEDED');
    await patch(id, { spend_limit: { amount_usd: 0.0002, period: 'week' } });
    expect((await call(secret, 'ok_paid')).status).toBe(200);
  });

  it('beyond the lower rate of its key is refused, and the headers show that rate', async () => {
    const { secret } = await create({ rate_limits: { per_minute: 2 } });
    const { headers } = await call(secret);
    expect(headers['ratelimit-policy']).toContain('"minute";q=2;w=60, "hour";q=1000;w=3600');
    expect(headers['ratelimit-remaining']).toBe('1');
    expect((await call(secret)).status).toBe(200);
    const { status, body } = await call(secret);
    expect([status, body.error.limit]).toEqual([429, 'minute']);
    expect(body.error.message).toBe('At most 2 calls a minute.');
  });

  it('beyond the lower concurrency of its key is refused', async () => {
    const { secret } = await create({ rate_limits: { concurrent: 1 } });
    const json = { tool: 'probe', skill: 'wait', input: { id: 'only one' } };
    const running = send('POST', '/v1/tools/call', json, secret);
    await probe.waitUntilStarted('only one');
    expect((await call(secret)).body.error).toMatchObject({
      limit: 'concurrency',
      message: 'At most 1 calls at once.',
    });
    probe.release('only one');
    expect((await running).status).toBe(200);
  });
});

it('pages of other origins may use the method of every route', async () => {
  const { headers } = await harness.request('OPTIONS', `/v1/keys/${person.keyId}`, {
    headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'PATCH' },
  });
  const allowed = headers['access-control-allow-methods']?.split(', ');
  for (const { method } of collectRoutes()) expect(allowed).toContain(method);
});

it('usage is filtered by the tags that keys have now', async () => {
  const other = await harness.person();
  const { body: tagged } = await send('POST', '/v1/keys', { tags: ['eu', 'batch'] }, other.key);
  for (const key of [tagged.secret, tagged.secret, other.key]) expect((await call(key)).status).toBe(200);
  const read = async (path: string) => (await send('GET', path, undefined, other.key)).body;
  expect([(await read('/v1/usage')).calls, (await read('/v1/usage?tag=eu')).calls]).toEqual([3, 2]);
  expect((await read('/v1/usage/history?tag=batch')).records).toHaveLength(2);
  expect((await read('/v1/usage?tag=us')).calls).toBe(0);
  expect((await read(`/v1/usage?tag=eu&key_id=${other.keyId}`)).calls).toBe(0);
  // The tag of another account finds nothing of it.
  expect((await send('GET', '/v1/usage?tag=eu')).body.calls).toBe(0);
  await patch(tagged.id, { tags: ['us'] }, other.key);
  expect((await read('/v1/usage?tag=us&period=day')).calls).toBe(2);
});
