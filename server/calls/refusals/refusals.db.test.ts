import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { runInPlayground } from '../../api/trpc/playground-run';
import { hashSessionToken } from '../../identity/sessions/session-token';
import { newId } from '../../kit/ids';
import { sweep } from '../../operations/retention/sweep';
import { DESCRIBED_PER_ACCOUNT, MAX_COMBINATIONS, MAX_DESCRIBED_PER_MINUTE } from './limits';
import type { Refusal } from './refusal-recorder';

const probe = createProbe();
const SPEND = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25 } };
const ECHO = { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } };

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const sql = () => harness.runtime.sql;
const call = (key: string, json: unknown, headers: Record<string, string> = {}, ip?: string) =>
  harness.request('POST', '/v1/tools/call', { key, json, headers, ...(ip === undefined ? {} : { ip }) });
const rpc = (key: string, name: string, args: unknown) =>
  harness.request('POST', '/mcp', {
    key,
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    headers: { accept: 'application/json, text/event-stream' },
  });

/** The recorded refusals of an account. */
async function counted(accountId: string) {
  await harness.runtime.refusals.flush();
  return [
    ...(await sql()`select key_id, code, limit_name, tool, sum(refused)::int as refused from refusal_minutes
      where account_id = ${accountId} group by 1, 2, 3, 4 order by code, tool, limit_name`),
  ];
}

async function described(accountId: string) {
  await harness.runtime.refusals.flush();
  return [...(await sql()`select * from refusals where account_id = ${accountId} order by id desc`)];
}

describe('a refused call is counted once under its code', () => {
  const rules = (keyId: string, change: string) =>
    sql().unsafe(`update api_keys set rules_version = rules_version + 1, ${change} where id = '${keyId}'`);
  const exhaustMinute = (keyId: string) =>
    sql()`update api_keys set window_used[1] = 60, window_started_at[1] = now() where id = ${keyId}`;
  const cases: [
    code: string,
    refused: { json?: unknown; tool?: string; limit?: string; retries?: boolean },
    prepare?: (person: { keyId: string; accountId: string }) => Promise<unknown>,
  ][] = [
    ['TOOL_NOT_FOUND', { json: { ...ECHO, tool: 'nothing' }, tool: '' }],
    ['SKILL_NOT_FOUND', { json: { ...ECHO, skill: 'nothing' } }],
    ['INVALID_INPUT', { json: { ...SPEND, input: { amount_usd: 'much' } } }],
    ['INVALID_INPUT', { json: { tool: 'diagnostics', input: {} } }],
    ['INVALID_INPUT', { json: 'no call', tool: '' }],
    ['INSUFFICIENT_CREDITS', { json: SPEND, limit: 'account' }],
    ['COST_LIMIT_EXCEEDED', { json: { ...SPEND, max_cost_usd: 0.01 } }],
    ['FORBIDDEN', { json: { ...SPEND, billing: 'no-team-of-mine' } }],
    ['RATE_LIMIT_EXCEEDED', { limit: 'minute', retries: true }, ({ keyId }) => exhaustMinute(keyId)],
    ['TOOL_NOT_ALLOWED', {}, ({ keyId }) => rules(keyId, `allowed_tools = '{text}'`)],
    ['IP_NOT_ALLOWED', { tool: '' }, ({ keyId }) => rules(keyId, `allowed_ips = '{203.0.113.0/24}'`)],
    ['AUTH_FAILED', { tool: '' }, ({ keyId }) => rules(keyId, `expires_at = now() - interval '1 hour'`)],
    [
      'AUTH_FAILED',
      { tool: '' },
      ({ keyId }) => sql()`update api_keys set revoked_at = now() where id = ${keyId}`,
    ],
    [
      'FORBIDDEN',
      { tool: '' },
      ({ accountId }) => sql()`update accounts set frozen_at = now() where id = ${accountId}`,
    ],
  ];
  it.each(cases)(
    '%s %j',
    async (code, { json = ECHO, tool = 'diagnostics', limit = '', retries }, prepare) => {
      const person = await harness.person();
      await prepare?.(person);
      const answer = await call(person.key, json, { 'x-request-id': 'refused-1' }, '198.51.100.7');
      expect(answer.body.error.code).toBe(code);
      expect(await counted(person.accountId)).toEqual([
        { key_id: person.keyId, code, limit_name: limit, tool, refused: 1 },
      ]);
      const [last] = await described(person.accountId);
      expect(last).toMatchObject({
        key_id: person.keyId,
        code,
        request_id: 'refused-1',
        client_address: '198.51.100.7',
        message: answer.body.error.message,
      });
      const [minute] = await sql()`select retry_at > now() as retries from refusal_minutes
      where account_id = ${person.accountId}`;
      expect(minute?.retries ?? false).toBe(retries ?? false);
    },
  );

  it('the spending limit of the key, until its period ends', async () => {
    const { key, keyId, accountId } = await harness.person(1_000_000n);
    await sql()`update api_keys set rules_version = 1, spend_limit_microusd = 300000, spend_period = 'day',
      spend_since = now(), spend_ceiling_microusd = 300000 where id = ${keyId}`;
    expect((await call(key, SPEND)).status).toBe(200);
    expect((await call(key, SPEND)).body.error.code).toBe('SPENDING_LIMIT_EXCEEDED');
    expect(await counted(accountId)).toMatchObject([
      { code: 'SPENDING_LIMIT_EXCEEDED', limit_name: 'key', refused: 1 },
    ]);
    const [row] = await sql()`select rules_version, abs(extract(epoch from retry_at -
      (date_trunc('day', now(), 'UTC') + interval '1 day'))) <= 2 as at_midnight from refusal_minutes
      where account_id = ${accountId}`;
    expect(row).toEqual({ rules_version: 1, at_midnight: true });
  });

  it('a key that must be claimed, over MCP', async () => {
    const { body } = await harness.request('POST', '/v1/auth/provision');
    await rpc(body.api_key, 'call_tool', SPEND);
    expect(await counted(body.account_id)).toMatchObject([
      { code: 'CLAIM_REQUIRED', tool: 'diagnostics', refused: 1 },
    ]);
  });

  it('over MCP, also if the arguments are invalid or the key is refused at the door', async () => {
    const { key, keyId, accountId } = await harness.person();
    await rpc(key, 'call_tool', SPEND);
    await rpc(key, 'call_tool', { tool: 'diagnostics' });
    await sql()`update api_keys set rules_version = 1, allowed_ips = '{203.0.113.0/24}' where id = ${keyId}`;
    await rpc(key, 'call_tool', ECHO);
    expect(await counted(accountId)).toMatchObject([
      { code: 'INSUFFICIENT_CREDITS', refused: 1 },
      { code: 'INVALID_INPUT', tool: 'diagnostics', refused: 1 },
      { code: 'IP_NOT_ALLOWED', tool: '', refused: 1 },
    ]);
  });

  it('the elements of a batch, each by itself, and a batch that is refused as a whole', async () => {
    const { key, keyId, accountId } = await harness.person();
    const batch = (calls: object[]) => harness.request('POST', '/v1/tools/batch', { key, json: { calls } });
    await batch([ECHO, SPEND, { ...ECHO, tool: 'nothing' }, SPEND]);
    await batch([]);
    expect(await counted(accountId)).toMatchObject([
      { code: 'INSUFFICIENT_CREDITS', refused: 2 },
      { code: 'INVALID_INPUT', refused: 1 },
      { code: 'TOOL_NOT_FOUND', refused: 1 },
    ]);
    await exhaustMinute(keyId);
    expect((await batch([ECHO, ECHO, ECHO])).status).toBe(429);
    expect((await counted(accountId)).find(({ code }) => code === 'RATE_LIMIT_EXCEEDED')).toMatchObject({
      refused: 3,
    });
  });

  it('a call from the playground', async () => {
    const person = await harness.person();
    await sql()`insert into sessions values (${hashSessionToken('refused')}, ${person.userId}, now() + interval '1 hour')`;
    const headers = {
      origin: 'http://gateway.test',
      'content-type': 'application/json',
      cookie: 'next-auth.session-token=refused',
    };
    const url = 'http://gateway.test/dashboard/playground/run';
    const request = new Request(url, { method: 'POST', headers, body: JSON.stringify(SPEND) });
    expect((await runInPlayground(request, harness.runtime)).status).toBe(402);
    expect(await counted(person.accountId)).toMatchObject([{ code: 'INSUFFICIENT_CREDITS', refused: 1 }]);
  });
});

describe('what is not a refusal', () => {
  it('a call that ran and failed, its replay, a dry run, an unknown key and a success', async () => {
    const own = await startHarness({ peer: harness, tools: [probe.tool] });
    const { key, accountId } = await own.person(1_000_000n);
    const send = (json: object, headers = {}) =>
      own.request('POST', '/v1/tools/call', { key, json, headers });
    const failing = { tool: 'probe', skill: 'fail_paid', input: { id: newId('request') } };
    const named = { 'idempotency-key': newId('request') };
    expect((await send(failing, named)).status).toBe(502);
    expect((await send(failing, named)).headers['idempotent-replayed']).toBe('true');
    expect((await send({ tool: 'probe', skill: 'ok', input: { id: 'x' } })).status).toBe(200);
    expect((await send({ ...failing, skill: 'nothing', dry_run: true })).status).toBe(404);
    const unknown = `${key.slice(0, -8)}00000000`;
    await own.request('POST', '/v1/tools/call', { key: unknown, json: failing });
    await own.runtime.refusals.flush();
    expect(await counted(accountId)).toEqual([]);
    await own.close();
  });
});

describe('the recorder', () => {
  let person: Awaited<ReturnType<Harness['person']>>;
  beforeEach(async () => {
    person = await harness.person();
  });
  const refusal = (change: Partial<Refusal> = {}): Refusal => ({
    ...{ accountId: person.accountId, keyId: person.keyId, rulesVersion: 0, code: 'RATE_LIMIT_EXCEEDED' },
    ...{ limitName: 'minute', tool: 'text', atMs: Date.now(), retryAtMs: null },
    describe: () => ({ requestId: 'r', clientAddress: null, tool: 'text', skill: 's', message: 'm' }),
    ...change,
  });

  it('counts a flood exactly in a bounded number of rows, and describes the last of it @F39', async () => {
    const atMs = Math.floor(Date.now() / 60_000) * 60_000;
    for (let i = 0; i < 5_000; i++)
      harness.runtime.refusals.record(refusal({ atMs, tool: `tool-${i % 500}` }));
    const rows = await counted(person.accountId);
    expect(rows.reduce((sum, { refused }) => sum + refused, 0)).toBe(5_000);
    expect(rows.length).toBe(MAX_COMBINATIONS + 1);
    expect(rows.find(({ tool }) => tool === '')).toMatchObject({ key_id: '', limit_name: '' });
    expect(await described(person.accountId)).toHaveLength(MAX_DESCRIBED_PER_MINUTE);
  });

  it('keeps the last descriptions of an account @F39', async () => {
    const started = Math.floor(Date.now() / 60_000) * 60_000;
    for (let i = 0; i < 3 * DESCRIBED_PER_ACCOUNT; i++) {
      const atMs = started + Math.floor(i / 70) * 60_000 + (i % 70);
      const describe = () => ({ requestId: `r${i}`, clientAddress: null, tool: '', skill: '', message: '' });
      harness.runtime.refusals.record(refusal({ atMs, describe }));
      if (i % 90 === 0) await harness.runtime.refusals.flush();
    }
    const rows = await described(person.accountId);
    expect(rows.map(({ request_id: id }) => id)).toEqual(
      Array.from({ length: DESCRIBED_PER_ACCOUNT }, (_, i) => `r${3 * DESCRIBED_PER_ACCOUNT - 1 - i}`),
    );
  });

  it('tries again after a failed statement, and loses nothing @F39', async () => {
    await sql()`alter table refusals rename to refusals_away`;
    harness.runtime.refusals.record(refusal());
    await harness.runtime.refusals.flush();
    harness.runtime.refusals.record(refusal());
    await sql()`alter table refusals_away rename to refusals`;
    expect(await counted(person.accountId)).toMatchObject([{ refused: 2 }]);
    expect(await described(person.accountId)).toHaveLength(2);
  });

  it('writes what waits when the process stops', async () => {
    const own = await startHarness({ peer: harness });
    own.runtime.refusals.record(refusal());
    await own.stop(1_000);
    expect(await sql()`select refused from refusal_minutes where account_id = ${person.accountId}`).toEqual([
      { refused: 1 },
    ]);
    await own.close();
  });

  it('writes for the account that has the key now, and nothing for a closed one @F40', async () => {
    const other = await harness.person();
    await sql()`update api_keys set account_id = ${other.accountId} where id = ${person.keyId}`;
    harness.runtime.refusals.record(refusal());
    expect(await counted(other.accountId)).toMatchObject([{ refused: 1 }]);
    expect(await counted(person.accountId)).toEqual([]);
    await sql()`update accounts set closed_at = now() where id = ${other.accountId}`;
    harness.runtime.refusals.record(refusal());
    expect(await counted(other.accountId)).toMatchObject([{ refused: 1 }]);
  });
});

it('a claim moves the refused calls with the key', async () => {
  const owner = await harness.person();
  const { body } = await harness.request('POST', '/v1/auth/provision');
  await call(body.api_key, SPEND);
  await call(owner.key, { ...ECHO, tool: 'nothing' });
  await harness.runtime.refusals.flush();
  const token = new URL(body.claim_url).searchParams.get('token');
  const claimed = await harness.request('POST', '/v1/auth/claim', { key: owner.key, json: { token } });
  expect(claimed.status).toBe(200);
  expect((await counted(owner.accountId)).map(({ code }) => code)).toEqual([
    'CLAIM_REQUIRED',
    'TOOL_NOT_FOUND',
  ]);
  expect(await described(owner.accountId)).toHaveLength(2);
  expect(await counted(body.account_id)).toEqual([]);
});

it('the sweep deletes old refused calls, and those of closed accounts @F40', async () => {
  const [old, closed, current] = [await harness.person(), await harness.person(), await harness.person()];
  for (const { key } of [old, closed, current]) await call(key, SPEND);
  await harness.runtime.refusals.flush();
  await sql()`update refusal_minutes set minute = minute - interval '36 days' where account_id = ${old.accountId}`;
  await sql()`update refusals set at = at - interval '36 days' where account_id = ${old.accountId}`;
  await sql()`update accounts set closed_at = now() where id = ${closed.accountId}`;
  expect((await sweep(harness.runtime)).failed).toEqual([]);
  expect([await counted(old.accountId), await described(old.accountId)]).toEqual([[], []]);
  expect(await described(closed.accountId)).toEqual([]);
  expect(await counted(current.accountId)).toHaveLength(1);
  expect(await described(current.accountId)).toHaveLength(1);
});

it('a message has no secret and is short @F40', async () => {
  const { key, accountId } = await harness.person();
  await call(key, { ...ECHO, tool: key });
  await call(key, { ...ECHO, skill: `sk-${'a1'.repeat(20)}` });
  const rows = await described(accountId);
  expect(rows).toHaveLength(2);
  expect(JSON.stringify(rows)).not.toContain(key.slice(8, -6));
  expect(JSON.stringify(rows)).not.toContain('a1a1a1');
  for (const { message } of rows) expect(message.length).toBeLessThanOrEqual(300);
});
