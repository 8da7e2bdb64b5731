import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newSession } from '@/test/support/foreign-objects';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { readEvents } from '@/test/support/read-events';
import { reapElsewhere } from '@/test/support/reap-as-other-process';
import { runQueuedCall } from '@/test/support/run-queued-call';
import { createSessionActor } from '@/test/support/session-actor';
import { defineTestSkill, defineTestTool } from '@/test/support/test-tool';
import { changeContentSettings } from '../calls/contents/content-settings';
import { InputError, SkillError } from '../core/errors/skill-error';
import { hashSessionToken } from '../identity/sessions/session-token';
import { deleteAccount } from '../lifecycle/delete-account';
import { exportData, startExport } from '../lifecycle/export-data';
import { sweep } from '../operations/retention/sweep';
import { getVaultStatus, rotateVault } from '../operations/vault/rotate-vault';
import type { Vault } from '../platform/ports/ports';
import { createVault } from '../platform/ports/vault';
import { perCall } from '../tools/sdk/define-tool';
import { writeCallsCsv } from './calls-csv';
import { getCall } from './get-call';
import { getRefusalReport } from './get-refusals';
import { listCalls } from './list-calls';

const input = z.object({ text: z.string(), mistake: z.boolean().default(false) });
const output = z.object({ text: z.string() });

/** A skill that fails with the text of its input; with none, it succeeds. */
const failing = (name: string, readOnly: boolean, estimatedSeconds: number) =>
  defineTestSkill<z.infer<typeof input>, z.infer<typeof output>>({
    name,
    input,
    output,
    price: perCall(500n),
    annotations: { readOnly, idempotent: false, estimatedSeconds },
    async run({ input: { text, mistake } }) {
      if (text === '') return { output: { text } };
      throw mistake ? new InputError(`text: ${text}`) : new SkillError(text);
    },
  });
const tool = defineTestTool('failing', [
  failing('reads', true, 0.01),
  failing('acts', false, 1),
  failing('queued', false, 60),
]);

const probe = createProbe();
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ tools: [probe.tool, tool], env: { JOBS: 'external' } });
  // Until it is known who stores contents, messages are sealed.
  await harness.runtime.callContents.refresh();
});
afterAll(() => harness.close());

const sql = () => harness.runtime.sql;
/** A control character, then a value of the vault. */
const SEALED = /^\p{Cc}v1\.[\w.-]+$/u;
const BOOM = 'boom (line 1, column 16)';

/** A person with credit, whose calls that only read run first. */
async function createCaller() {
  const person = await harness.person(1_000_000n);
  harness.runtime.keyStates.report(person.keyId, 1_000_000_000n, []);
  return person;
}
type Caller = Awaited<ReturnType<typeof createCaller>>;

const call = (key: string, skill: string, sent: object, headers: Record<string, string> = {}) =>
  harness.request('POST', '/v1/tools/call', { key, json: { tool: 'failing', skill, input: sent }, headers });
async function callMcpTool(key: string, name: string, args: object) {
  const { text } = await harness.request('POST', '/mcp', {
    key,
    headers: { accept: 'application/json, text/event-stream' },
    json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  });
  const [message] = text.match(/\{.*\}/) ?? ['{}'];
  return JSON.parse(message).result.structuredContent;
}
const readRecords = async (keyId: string) => [
  ...(await sql()<
    { id: string; error_code: string | null; error_message: string | null; hold: string | null }[]
  >`
    select id, error_code, error_message, hold_microusd::text as hold from usage_records
    where key_id = ${keyId} order by id`),
];
const runQueued = async ({ keyId }: Caller) => {
  for (const { id } of await sql()<{ id: string }[]>`select id from calls where key_id = ${keyId}`)
    await runQueuedCall(harness.runtime, id);
};
interface Failure {
  code: string;
  message: string;
  call_id: string;
}

describe('the message and the id of a failed call are stored as its caller gets them', () => {
  const send = async ({ key }: Caller, skill: string, headers: Record<string, string> = {}) =>
    (await call(key, skill, { text: BOOM }, headers)).body.error;
  const paths: [string, (caller: Caller) => Promise<Failure>][] = [
    ['that runs first', (caller) => send(caller, 'reads')],
    [
      'that runs first with an Idempotency-Key',
      (caller) => send(caller, 'reads', { 'idempotency-key': 'a' }),
    ],
    ['that is admitted first', (caller) => send(caller, 'acts')],
    [
      'that is replayed',
      async (caller) => {
        await send(caller, 'acts', { 'idempotency-key': 'b' });
        return await send(caller, 'acts', { 'idempotency-key': 'b' });
      },
    ],
    [
      'of a batch',
      async ({ key }) => {
        const calls = [{ tool: 'failing', skill: 'reads', input: { text: BOOM } }];
        const { body } = await harness.request('POST', '/v1/tools/batch', { key, json: { calls } });
        expect(body.results[0].id).toBe(body.results[0].error.call_id);
        return body.results[0].error;
      },
    ],
    [
      'that is streamed',
      async ({ key }) => {
        const { text } = await call(key, 'acts', { text: BOOM }, { accept: 'text/event-stream' });
        return (readEvents(text).at(-1) as { data: { error: Failure } }).data.error;
      },
    ],
    [
      'from the queue, to the request that waits',
      async (caller) => {
        const answer = send(caller, 'queued');
        while ((await sql()`select 1 from calls where key_id = ${caller.keyId}`).length === 0)
          await new Promise((done) => setTimeout(done, 5));
        await runQueued(caller);
        return await answer;
      },
    ],
    [
      'from the queue, as a job',
      async (caller) => {
        const { body } = await call(caller.key, 'queued', { text: BOOM }, { prefer: 'wait=0' });
        await runQueued(caller);
        const job = (await harness.request('GET', `/v1/jobs/${body.job_id}`, { key: caller.key })).body;
        return { code: job.error_code, message: job.error, call_id: job.call_id };
      },
    ],
    [
      'by MCP',
      async ({ key }) => {
        const args = { tool: 'failing', skill: 'reads', input: { text: BOOM } };
        return (await callMcpTool(key, 'call_tool', args)).error;
      },
    ],
  ];
  it.each(paths)('%s', async (_, send) => {
    const caller = await createCaller();
    const error = await send(caller);
    expect(error).toMatchObject({ code: 'HANDLER_ERROR', message: BOOM });
    expect(await readRecords(caller.keyId)).toEqual([
      { id: error.call_id, error_code: 'HANDLER_ERROR', error_message: BOOM, hold: '500' },
    ]);
  });

  it('whose input the tool rejects', async () => {
    const { key, keyId } = await createCaller();
    const { status, body } = await call(key, 'reads', { text: 'too long', mistake: true });
    expect(status).toBe(400);
    expect(await readRecords(keyId)).toMatchObject([
      { id: body.error.call_id, error_code: 'INVALID_INPUT', error_message: 'text: too long' },
    ]);
  });

  it('that is cancelled', async () => {
    const { key, keyId } = await createCaller();
    const json = { tool: 'probe', skill: 'wait_paid', input: { id: keyId } };
    const headers = { prefer: 'wait=0' };
    const { body } = await harness.request('POST', '/v1/tools/call', { key, json, headers });
    await probe.waitUntilStarted(keyId);
    await harness.request('POST', `/v1/jobs/${body.job_id}/cancel`, { key });
    expect(await readRecords(keyId)).toMatchObject([
      { id: body.id, error_code: 'CANCELLED', error_message: 'The call was cancelled.', hold: '100' },
    ]);
    probe.release(keyId);
  });

  it('that is lost with its process, also for a replay', async () => {
    const { key, keyId } = await createCaller();
    const json = { tool: 'probe', skill: 'wait_paid', input: { id: keyId } };
    const send = () =>
      harness.request('POST', '/v1/tools/call', { key, json, headers: { 'idempotency-key': 'lost' } });
    const first = send();
    await probe.waitUntilStarted(keyId);
    await sql()`update calls set lease_expires_at = now() - interval '1 second' where key_id = ${keyId}`;
    await reapElsewhere(harness.runtime);
    probe.release(keyId);
    const message = 'The process that ran this call ended before the call finished.';
    for (const { body } of [await first, await send()]) {
      expect(body.error.message).toBe(message);
      expect(await readRecords(keyId)).toMatchObject([{ id: body.error.call_id, error_message: message }]);
    }
  });
});

it('a message is stored without secrets and shortened, and none is stored of a success @F30', async () => {
  const { key, keyId } = await createCaller();
  await call(key, 'reads', { text: '' });
  await call(key, 'reads', { text: `Bad key ${key}: \0 ${'x'.repeat(460)}` });
  const [success, failure] = await readRecords(keyId);
  expect(success).toMatchObject({ error_message: null, hold: null });
  expect(failure?.error_message).toHaveLength(400);
  expect(failure?.error_message).toMatch(/^Bad key .*x…$/);
  expect(failure?.error_message).not.toContain(key);
});

it('a call that is refused has a request id, but no call id', async () => {
  const { key, keyId } = await createCaller();
  const answers = [
    await call(key, 'reads', {}),
    await harness.request('POST', '/v1/tools/call', { key, json: { tool: 'none', skill: 'x', input: {} } }),
  ];
  for (const { body } of answers) {
    expect(body.error.request_id).toMatch(/^req_/);
    expect(body.error).not.toHaveProperty('call_id');
  }
  expect(await readRecords(keyId)).toEqual([]);
});

it('a refused request is found by its id among refused calls, and by nobody else', async () => {
  const [person, other] = [await createCaller(), await createCaller()];
  await call(person.key, 'reads', {}, { 'x-request-id': 'refused-here' });
  await call(person.key, 'reads', {});
  await harness.runtime.refusals.flush();
  const find = async (caller: Caller) => {
    const filter = { period: 'all', request_id: 'refused-here' } as const;
    return (await getRefusalReport(harness.runtime, createSessionActor(caller), filter)).last;
  };
  expect(await find(person)).toMatchObject([{ request_id: 'refused-here', error_code: 'INVALID_INPUT' }]);
  expect(await find(other)).toEqual([]);
});

it('a failure costs no further statement on either path', async () => {
  const { key } = await createCaller();
  const before = harness.runtime.flush.counts();
  await call(key, 'reads', { text: BOOM });
  await call(key, 'acts', { text: BOOM });
  const after = harness.runtime.flush.counts();
  expect(after.commit.items - before.commit.items).toBe(1);
  expect([after.admit.items - before.admit.items, after.end.items - before.end.items]).toEqual([1, 1]);
});

/** Everything about a person, as they download it. */
async function exportAll(person: Caller): Promise<string> {
  const sessionId = hashSessionToken(await newSession(harness, person.userId));
  const actor = { ...createSessionActor(person), sessionId };
  await startExport(harness.runtime, actor);
  let exported = '';
  for await (const part of (await exportData(harness.runtime, actor)).text) exported += part;
  return exported;
}

it('messages are exported with an account, and removed with it @F30', async () => {
  const [person, other] = [await createCaller(), await createCaller()];
  for (const { key } of [person, other]) await call(key, 'reads', { text: BOOM });
  expect(await exportAll(person)).toContain(BOOM);
  await deleteAccount(harness.runtime, createSessionActor(person));
  expect((await sweep(harness.runtime)).failed).toEqual([]);
  expect(await readRecords(person.keyId)).toMatchObject([{ error_message: null }]);
  expect(await readRecords(other.keyId)).toMatchObject([{ error_message: BOOM }]);
});

describe('where an account stores contents, the message of a failed call', () => {
  const text = `"quoted" \u0001 ${BOOM}`;
  const read = `"quoted"  ${BOOM}`;

  /** A person who stores contents, with a failed call of each path. */
  async function createStoring() {
    const person = await createCaller();
    await changeContentSettings(harness.runtime, createSessionActor(person), { days: 7 });
    const before = harness.runtime.flush.counts();
    await call(person.key, 'reads', { text });
    expect(harness.runtime.flush.counts().commit.items - before.commit.items).toBe(1);
    await call(person.key, 'acts', { text });
    await call(person.key, 'queued', { text }, { prefer: 'wait=0' });
    await runQueued(person);
    return person;
  }

  it('is stored sealed on every path, and read in lists, details, CSV and export @F30', async () => {
    const person = await createStoring();
    const stored = await readRecords(person.keyId);
    expect(stored).toHaveLength(3);
    for (const { error_message: message } of stored) {
      expect(message).toMatch(SEALED);
      expect(message).not.toContain('boom');
    }
    const { key } = person;
    const history = await harness.request('GET', '/v1/usage/history', { key });
    expect(history.body.records.map((row: Failure & { error_message: string }) => row.error_message)).toEqual(
      [read, read, read],
    );
    const record = await harness.request('GET', `/v1/usage/calls/${stored[0]?.id}`, { key });
    expect(record.body.error_message).toBe(read);
    const actor = createSessionActor(person);
    expect((await getCall(harness.runtime, actor, stored[1]?.id ?? '')).error_message).toBe(read);
    let file = '';
    for await (const part of (await writeCallsCsv(harness.runtime, actor, {})).text) file += part;
    expect(file.match(/""quoted"" {2}boom/g)).toHaveLength(3);
    const { calls } = JSON.parse(await exportAll(person));
    expect(calls.map((row: { error_message: string }) => row.error_message)).toEqual([read, read, read]);
  });

  it('is stored as it is before the account opts in, and after it opts out', async () => {
    const person = await createCaller();
    await call(person.key, 'acts', { text: BOOM });
    for (const days of [7, null]) {
      await changeContentSettings(harness.runtime, createSessionActor(person), { days });
      await call(person.key, 'acts', { text: BOOM });
    }
    const messages = (await readRecords(person.keyId)).map((row) => row.error_message);
    expect(messages).toEqual([BOOM, expect.stringMatching(SEALED), BOOM]);
  });

  it('cannot be moved to another call, and is resealed when the vault key is replaced @F30', async () => {
    const person = await createStoring();
    const { runtime } = harness;
    const [first, second] = await readRecords(person.keyId);
    await sql()`update usage_records set error_message = ${first?.error_message ?? ''} where id = ${second?.id ?? ''}`;
    const actor = createSessionActor(person);
    expect((await getCall(runtime, actor, second?.id ?? '')).error_message).toBeNull();
    await sql()`update usage_records set error_message = ${second?.error_message ?? ''} where id = ${second?.id ?? ''}`;

    const old = { id: runtime.ports.vault.keyId, key: runtime.settings.vaultKey };
    const k2 = { id: 'k2', key: randomBytes(32).toString('base64') };
    const rotateTo = async (vault: Vault) => {
      const rotated = { ...runtime, ports: { ...runtime.ports, vault } };
      expect((await getVaultStatus(rotated)).find(({ current }) => !current)?.messages).toBeGreaterThan(2);
      expect(await rotateVault(rotated)).toMatchObject({ missing: {}, broken: [] });
      expect((await getVaultStatus(rotated)).find(({ current }) => !current)?.messages).toBe(0);
      for (const { id, error_message: message } of await readRecords(person.keyId)) {
        expect(message?.slice(1)).toMatch(new RegExp(`^v1\\.${vault.keyId}\\.`));
        expect((await getCall(rotated, actor, id)).error_message).toBe(read);
      }
    };
    await rotateTo(createVault(k2, [old]));
    // Back, for the other tests.
    await rotateTo(createVault(old, [k2]));
  });
});

describe('GET /v1/usage/calls/{call_id}', () => {
  const read = async (key: string, id: string) =>
    await harness.request('GET', `/v1/usage/calls/${id}`, { key });

  it('says why a call failed, when it ran and what it could have cost', async () => {
    const { key, keyId } = await createCaller();
    const { body, headers } = await call(key, 'reads', { text: BOOM });
    const record = await read(key, body.error.call_id);
    expect(record).toMatchObject({
      status: 200,
      body: {
        id: body.error.call_id,
        status: 'error',
        error_code: 'HANDLER_ERROR',
        error_message: BOOM,
        resolution_hint: body.error.resolution_hint,
        http_status: 502,
        request_id: headers['x-request-id'],
        key_id: keyId,
        attempts: 1,
        max_cost_usd: 0.0005,
        cost_usd: 0,
        ledger_entry: null,
      },
    });
    expect(record.body.started_at).toBe(record.body.created_at);
    const history = await harness.request('GET', '/v1/usage/history', { key });
    expect(history.body.records).toMatchObject([{ error_message: BOOM }]);
  });

  it('names the ledger entry of a success', async () => {
    const { key } = await createCaller();
    const { body } = await call(key, 'acts', { text: '' });
    const record = (await read(key, body.id)).body;
    expect(record).toMatchObject({ status: 'success', http_status: 200, error_message: null });
    expect(record.ledger_entry).toMatchObject({ amount_usd: -0.0005, created_at: record.finished_at });
    const entries = await sql()`select id::text from ledger_entries where kind = 'call' and ref = ${body.id}`;
    expect(entries).toEqual([{ id: record.ledger_entry.id }]);
  });

  it('has the attempts of a queued call, and when the first began', async () => {
    const caller = await createCaller();
    const { body } = await call(caller.key, 'queued', { text: BOOM }, { prefer: 'wait=0' });
    await sql()`update jobs set attempts = 1, started_at = now() where id = ${body.job_id}`;
    await runQueued(caller);
    const record = (await read(caller.key, body.id)).body;
    expect(record).toMatchObject({ attempts: 2, job_id: body.job_id, error_message: BOOM });
    expect(Date.parse(record.started_at)).toBeGreaterThan(Date.parse(record.created_at));
  });

  it('finds a call that the key charged to a team, of a restricted key its own only, and none of others @F30', async () => {
    const [owner, member, outsider] = [await createCaller(), await createCaller(), await createCaller()];
    const team = await harness.team(owner.userId, 'failing-team', 1_000_000n);
    await sql()`insert into memberships (account_id, user_id, role) values (${team}, ${member.userId}, 'member')`;
    const json = { tool: 'failing', skill: 'acts', input: { text: BOOM }, billing: 'failing-team' };
    const { body } = await harness.request('POST', '/v1/tools/call', { key: owner.key, json });
    const id = body.error.call_id;
    expect((await read(owner.key, id)).body).toMatchObject({ billing: 'failing-team', error_message: BOOM });
    for (const { key } of [member, outsider])
      expect(await read(key, id)).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
    const restricted = await harness.request('POST', '/v1/keys', { key: owner.key, json: { credits: 1 } });
    expect((await read(restricted.body.secret, id)).status).toBe(404);

    const details = async (person: Caller) => await getCall(harness.runtime, createSessionActor(person), id);
    expect((await details(owner)).error_message).toBe(BOOM);
    expect(await details(member)).toMatchObject({ error_code: 'HANDLER_ERROR', error_message: null });
    const listed = await listCalls(harness.runtime, createSessionActor(member), { billing: 'failing-team' });
    expect(listed.calls).toMatchObject([{ id, error_message: null }]);
  });

  it('is what get_usage returns over MCP for a call_id', async () => {
    const { key } = await createCaller();
    const { body } = await call(key, 'reads', { text: BOOM });
    const args = { call_id: body.error.call_id };
    expect(await callMcpTool(key, 'get_usage', args)).toMatchObject({ error_message: BOOM });
    const other = await callMcpTool(key, 'get_usage', { call_id: 'call_other' });
    expect(other).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });
});

it('the CSV has the message as its last column', async () => {
  const person = await createCaller();
  await call(person.key, 'reads', { text: '=two, "quoted"' });
  const { text } = await writeCallsCsv(harness.runtime, createSessionActor(person), {});
  let csv = '';
  for await (const part of text) csv += part;
  expect(csv).toMatch(/,client_address,error_message\r\n/);
  expect(csv).toContain(`"'=two, ""quoted"""`);
});
