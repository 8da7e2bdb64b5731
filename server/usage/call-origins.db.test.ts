import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { runQueuedCall } from '@/test/support/run-queued-call';
import { createSessionActor } from '@/test/support/session-actor';
import { runInPlayground } from '../api/trpc/playground-run';
import { hashSessionToken } from '../identity/sessions/session-token';
import { removeTeam } from '../identity/teams/remove-team';
import { deleteAccount } from '../lifecycle/delete-account';
import { indexRequests } from '../operations/retention/index-requests';
import { sweep } from '../operations/retention/sweep';
import { tools } from '../tools/registry';
import { writeCallsCsv } from './calls-csv';
import { getCall } from './get-call';
import { listCalls } from './list-calls';

/** Without a worker, so that queued calls wait until a test runs them. */
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ tools: [...tools, createProbe().tool], env: { JOBS: 'external' } });
});
afterAll(() => harness.close());

type Person = Awaited<ReturnType<Harness['person']>>;
const sql = () => harness.runtime.sql;
const IP = '203.0.113.7';
const EVALUATE = { tool: 'math', skill: 'evaluate', input: { expression: '1+1' } };
const SPEND = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.01 } };
/** Takes the regular path. */
const PROBE = { tool: 'probe', skill: 'ok_paid', input: {} };
const FAIL = { tool: 'diagnostics', skill: 'flaky', input: { mode: 'throw' } };

const send = (key: string, requestId: string, json: object, headers: Record<string, string> = {}) =>
  harness.request('POST', '/v1/tools/call', {
    key,
    json,
    ip: IP,
    headers: { 'x-request-id': requestId, ...headers },
  });
const readOrigins = async (requestId: string) =>
  await sql()<{ id: string; client_address: string; error_code: string | null }[]>`
    select id, client_address, error_code from usage_records where request_id = ${requestId} order by id`;
const runQueued = async (accountId: string) => {
  for (const { id } of await sql()<{ id: string }[]>`select id from calls where account_id = ${accountId}`)
    await runQueuedCall(harness.runtime, id);
};

describe('request id and client address of a call', () => {
  it.each<[string, object, Record<string, string>]>([
    ['that runs first', SPEND, {}],
    ['that runs first with an Idempotency-Key', SPEND, { 'idempotency-key': 'k-1' }],
    ['that is admitted first', PROBE, {}],
    ['that is admitted first with an Idempotency-Key', PROBE, { 'idempotency-key': 'k-2' }],
    ['that failed', FAIL, {}],
    ['with a stream', SPEND, { accept: 'text/event-stream' }],
  ])('are recorded of a call %s', async (title, call, headers) => {
    const { key, keyId } = await harness.person(1_000_000n);
    // As if the database had just reported on the key: a call that only reads runs first.
    harness.runtime.keyStates.report(keyId, 1_000_000_000n, []);
    const requestId = `req:${title.replaceAll(' ', '-')}`;
    await send(key, requestId, call, headers);
    expect(await readOrigins(requestId)).toMatchObject([{ client_address: IP }]);
  });

  it('are recorded of each call of a batch, which share the id', async () => {
    const { key } = await harness.person(1_000_000n);
    const { status } = await harness.request('POST', '/v1/tools/batch', {
      key,
      json: { calls: [EVALUATE, SPEND, FAIL] },
      ip: `::ffff:${IP}`,
      headers: { 'x-request-id': 'one-batch' },
    });
    expect(status).toBe(200);
    expect((await readOrigins('one-batch')).map((row) => row.client_address)).toEqual([IP, IP, IP]);
    const { body } = await harness.request('GET', '/v1/usage/history?request_id=one-batch', { key });
    expect(body.records).toHaveLength(3);
    expect(body.records[0]).toMatchObject({ request_id: 'one-batch' });
    const failed = await harness.request(
      'GET',
      '/v1/usage/history?request_id=one-batch&error_code=HANDLER_ERROR',
      { key },
    );
    expect(failed.body.records).toMatchObject([{ skill: 'flaky' }]);
  });

  it('are recorded of a call that waited in the queue', async () => {
    const person = await harness.person(1_000_000n);
    const { status } = await send(
      person.key,
      'queued-1',
      { tool: 'probe', skill: 'queued', input: {} },
      { prefer: 'wait=0' },
    );
    expect(status).toBe(202);
    expect(await sql()`select client_address from calls where request_id = 'queued-1'`).toHaveLength(1);
    await runQueued(person.accountId);
    expect(await readOrigins('queued-1')).toMatchObject([{ client_address: IP }]);
  });

  it('are recorded of a call by MCP and by the playground', async () => {
    const person = await harness.person(1_000_000n);
    await harness.request('POST', '/mcp', {
      key: person.key,
      ip: IP,
      headers: { 'x-request-id': 'by-mcp' },
      json: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'call_tool', arguments: EVALUATE },
      },
    });
    expect(await readOrigins('by-mcp')).toMatchObject([{ client_address: IP }]);
    await sql()`insert into sessions values (${hashSessionToken('t')}, ${person.userId}, now() + interval '1 hour')`;
    const played = await runInPlayground(
      new Request('http://gateway.test/dashboard/playground/run', {
        method: 'POST',
        headers: {
          origin: 'http://gateway.test',
          'content-type': 'application/json',
          cookie: 'next-auth.session-token=t',
          'x-request-id': 'by-hand',
        },
        body: JSON.stringify(EVALUATE),
      }),
      harness.runtime,
    );
    await played.text();
    expect(await readOrigins('by-hand')).toHaveLength(1);
  });

  it('of a generated id follow from the id of the first call, and are found by it', async () => {
    const person = await harness.person(1_000_000n);
    const listed = async (requestId: string) =>
      (await listCalls(harness.runtime, createSessionActor(person), { request_id: requestId })).calls;
    for (const call of [SPEND, PROBE, FAIL]) {
      const { headers } = await harness.request('POST', '/v1/tools/call', { key: person.key, json: call });
      const requestId = headers['x-request-id'] ?? '';
      const [found, ...more] = await listed(requestId);
      expect(found).toMatchObject({ id: requestId.replace('req_', 'call_'), request_id: requestId });
      expect(more).toEqual([]);
      expect(await sql()`select request_id from usage_records where id = ${found?.id ?? ''}`).toEqual([
        { request_id: '' },
      ]);
      const { body } = await harness.request('GET', `/v1/usage/history?request_id=${requestId}`, person);
      expect(body.records).toMatchObject([{ id: found?.id, request_id: requestId }]);
      const detail = await getCall(harness.runtime, createSessionActor(person), found?.id ?? '');
      expect(detail.request_id).toBe(requestId);
      // A client that sends the id of an earlier request makes a call of its own with that id.
      await send(person.key, requestId, SPEND);
      expect((await listed(requestId)).map((row) => row.request_id)).toEqual([requestId, requestId]);
    }
  });

  it('of a generated id are stored with each call of a batch', async () => {
    const { key } = await harness.person(1_000_000n);
    const json = { calls: [EVALUATE, SPEND] };
    const { headers } = await harness.request('POST', '/v1/tools/batch', { key, json });
    const requestId = headers['x-request-id'] ?? '';
    const { body } = await harness.request('GET', `/v1/usage/history?request_id=${requestId}`, { key });
    expect(body.records).toMatchObject([{ request_id: requestId }, { request_id: requestId }]);
  });

  it('cost no further statement: a call on each path takes as many groups as before', async () => {
    const { key, keyId } = await harness.person(1_000_000n);
    harness.runtime.keyStates.report(keyId, 1_000_000_000n, []);
    const before = harness.runtime.flush.counts();
    await send(key, 'counted-1', SPEND);
    await send(key, 'counted-2', PROBE);
    const after = harness.runtime.flush.counts();
    expect(after.commit.items - before.commit.items).toBe(1);
    expect(after.admit.items - before.admit.items).toBe(1);
    expect(after.end.items - before.end.items).toBe(1);
  });
});

describe('a call of a team', () => {
  async function makeTeam(slug: string) {
    const [owner, member, other] = [await harness.person(), await harness.person(), await harness.person()];
    const teamId = await harness.team(owner.userId, slug, 1_000_000n);
    for (const { userId } of [member, other])
      await sql()`insert into memberships (account_id, user_id, role) values (${teamId}, ${userId}, 'member')`;
    return { owner, member, other };
  }
  const listAddresses = async (person: Person, billing: string) =>
    (await listCalls(harness.runtime, createSessionActor(person), { billing })).calls.map(
      (call) => call.client_address,
    );

  it('shows its client address to its owner and admins and to the member who made it, in lists, details and CSV @F30', async () => {
    const { owner, member, other } = await makeTeam('traced');
    await send(member.key, 'team-call', { ...SPEND, billing: 'traced' });
    expect(await listAddresses(owner, 'traced')).toEqual([IP]);
    expect(await listAddresses(member, 'traced')).toEqual([IP]);
    expect(await listAddresses(other, 'traced')).toEqual([null]);
    const [{ id } = { id: '' }] = await readOrigins('team-call');
    expect((await getCall(harness.runtime, createSessionActor(other), id)).client_address).toBeNull();
    const { text } = await writeCallsCsv(harness.runtime, createSessionActor(other), { billing: 'traced' });
    let csv = '';
    for await (const part of text) csv += part;
    expect(csv).toContain('team-call');
    expect(csv).not.toContain(IP);
  });

  it('is found by request id, call id and error code, in any period', async () => {
    const person = await harness.person(1_000_000n);
    await send(person.key, 'find-me', SPEND);
    await send(person.key, 'fails', FAIL);
    const [{ id } = { id: '' }] = await readOrigins('find-me');
    const list = async (filter: object) =>
      (await listCalls(harness.runtime, createSessionActor(person), filter)).calls.map((call) => call.skill);
    expect(await list({ request_id: 'find-me', from: '2020-01-01', to: '2020-01-02' })).toEqual(['spend']);
    expect(await list({ call_id: id })).toEqual(['spend']);
    expect(await list({ error_code: 'HANDLER_ERROR' })).toEqual(['flaky']);
    expect(await list({ request_id: 'find-me', error_code: 'HANDLER_ERROR' })).toEqual([]);
    const outsider = await harness.person();
    expect(
      (await listCalls(harness.runtime, createSessionActor(outsider), { request_id: 'find-me' })).calls,
    ).toEqual([]);
  });
});

it('the deletion of an account removes the addresses of all its calls with the next sweep, and no others @F30', async () => {
  const [person, other] = [await harness.person(1_000_000n), await harness.person(1_000_000n)];
  for (const { key, keyId } of [person, other]) {
    await send(key, `of-${keyId}`, SPEND);
    await send(key, `of-${keyId}`, EVALUATE);
  }
  await deleteAccount(harness.runtime, createSessionActor(person));
  const report = await sweep(harness.runtime);
  expect(report.failed).toEqual([]);
  expect(report.removed.clientAddresses).toBe(2);
  const addresses = async ({ keyId }: Person) =>
    (await readOrigins(`of-${keyId}`)).map((row) => row.client_address);
  expect(await addresses(person)).toEqual([null, null]);
  expect(await addresses(other)).toEqual([IP, IP]);
  expect(await sql()`select 1 from address_removals`).toHaveLength(0);
});

it('the deletion of a team removes the addresses of the calls of its keys, and not those of its members’ own @F30', async () => {
  const owner = await harness.person(1_000_000n);
  await harness.team(owner.userId, 'gone', 10_000n);
  const { body } = await harness.request('POST', '/v1/keys', { key: owner.key, json: { billing: 'gone' } });
  await send(body.secret, 'by-team-key', SPEND);
  await send(owner.key, 'by-owner', EVALUATE);
  await removeTeam(harness.runtime, createSessionActor(owner), 'gone');
  await sweep(harness.runtime);
  expect(await readOrigins('by-team-key')).toMatchObject([{ client_address: null }]);
  expect(await readOrigins('by-owner')).toMatchObject([{ client_address: IP }]);
});

it('a month that the migration left without the index gets it from the sweep, and new months have it', async () => {
  const readState = async () => {
    const [row] = await sql()<{ valid: boolean; parts: number; months: number }[]>`
      select x.indisvalid as valid,
        (select count(*)::int from pg_inherits where inhparent = x.indexrelid) as parts,
        (select count(*)::int from pg_inherits where inhparent = 'usage_records'::regclass) as months
      from pg_index x where x.indexrelid = 'usage_records_request'::regclass`;
    return row;
  };
  const fresh = await readState();
  expect(fresh).toEqual({ valid: true, parts: fresh?.months, months: fresh?.months });
  // As after an upgrade of a database with one large month.
  const [large] = await sql()<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usage_records'::regclass and c.relname ~ '_20' order by 1 limit 1`;
  await sql()`drop index usage_records_request`;
  await sql()`create index usage_records_request on only usage_records (account_id, request_id, id) where request_id <> ''`;
  await sql().unsafe(`create index ${large?.name}_request on ${large?.name} (account_id, request_id, id)
    where request_id <> ''`);
  await sql().unsafe(`alter index usage_records_request attach partition ${large?.name}_request`);
  await sql()`select create_usage_month('2031-05-01')`;
  // A month whose index a busy table kept from being attached.
  const [built] = await sql()<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'usage_records'::regclass and c.relname ~ '_20' order by 1 offset 1 limit 1`;
  await sql().unsafe(`create index ${built?.name}_request on ${built?.name} (account_id, request_id, id)
    where request_id <> ''`);
  const readIndex = () => sql()`select to_regclass(${`${built?.name}_request`})::oid as id`;
  const before = await readIndex();
  const sweeping = { runtime: harness.runtime, signal: new AbortController().signal };
  let created = 0;
  while ((await indexRequests(sweeping)) === 1) created++;
  expect(created).toBeGreaterThan(0);
  expect(await readIndex()).toEqual(before);
  const after = await readState();
  expect(after).toEqual({ valid: true, parts: after?.months, months: (fresh?.months ?? 0) + 1 });
});
