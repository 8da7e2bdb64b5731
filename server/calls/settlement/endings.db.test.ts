import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { reapElsewhere } from '@/test/support/reap-as-other-process';
import { tools as builtIn } from '../../tools/registry';

const probe = createProbe();
const tools = [probe.tool, ...builtIn];
let harness: Harness;
/** With a deadline of one second; runs no queued calls. */
let impatient: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', tools, env: { WAIT_SECONDS: '2' } });
  const env = { WAIT_SECONDS: '2', HANDLER_TIMEOUT_SECONDS: '1', JOBS: 'external' };
  impatient = await startHarness({ role: 'web', tools, env, peer: harness });
});
afterAll(async () => {
  await impatient.close();
  await harness.close();
});

interface SendOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  at?: Harness;
}

interface Call {
  key: string;
  keyId: string;
  /** Sends a call of a diagnostics skill. */
  send(skill: string, input: object, options?: SendOptions): Promise<string>;
  cancel(jobId: string): Promise<unknown>;
}

const events = { headers: { accept: 'text/event-stream' } };
const now = { headers: { prefer: 'wait=0' } };
const parseJobId = (text: string): string => JSON.parse(text).job_id;

/** Every way in which a call can end. */
const endings: [string, (call: Call) => Promise<unknown>][] = [
  ['its result', (call) => call.send('spend', { amount_usd: 0.001 })],
  ['a handler that throws', (call) => call.send('flaky', { mode: 'throw' })],
  ['an output that does not match its schema', (call) => call.send('flaky', { mode: 'bad_output' })],
  [
    'its deadline, with a waiting client',
    (call) => call.send('flaky', { mode: 'timeout' }, { ...events, at: impatient }),
  ],
  ['its deadline, as a job', (call) => call.send('flaky', { mode: 'timeout' }, { ...now, at: impatient })],
  ['completing as a job', (call) => call.send('sleep', { seconds: 0.3 }, now)],
  ['completing in the queue', (call) => call.send('background', { seconds: 0.3 }, now)],
  ['a cancel', async (call) => await call.cancel(parseJobId(await call.send('sleep', { seconds: 30 }, now)))],
  [
    'a cancel while a worker runs it',
    async (call) => {
      const jobId = parseJobId(await call.send('background', { seconds: 30 }, now));
      const { sql } = harness.runtime;
      const status = async () => (await sql`select status from jobs where id = ${jobId}`)[0]?.status;
      await expect.poll(status, { interval: 10 }).toBe('running');
      await call.cancel(jobId);
    },
  ],
  [
    'a client that disconnects',
    async (call) => {
      const leaving = new AbortController();
      setTimeout(() => leaving.abort(), 50);
      await call.send('sleep', { seconds: 0.3 }, { signal: leaving.signal });
    },
  ],
  [
    'a client that closes its stream @A25',
    async (call) => {
      const leaving = new AbortController();
      setTimeout(() => leaving.abort(), 50);
      await call.send('sleep', { seconds: 0.3 }, { ...events, signal: leaving.signal });
    },
  ],
  [
    'a process that dies',
    async (call) => {
      await call.send('sleep', { seconds: 10 }, now);
      await harness.runtime
        .sql`update calls set fence = 'dead', lease_expires_at = now() - interval '1 second'
        where key_id = ${call.keyId}`;
      expect(await reapElsewhere(harness.runtime)).toBe(1);
    },
  ],
  [
    'a key that is revoked while it runs',
    async (call) => {
      await call.send('sleep', { seconds: 0.3 }, now);
      await harness.runtime.sql`update api_keys set revoked_at = now() where id = ${call.keyId}`;
    },
  ],
];

describe('the slot, hold and row of a call are released after @A5 @E4', () => {
  it.each(endings)('%s', async (_, end) => {
    const { key, keyId, accountId } = await harness.person(1_000_000n);
    await end({
      key,
      keyId,
      send: async (skill, input, { at = harness, ...options } = {}) => {
        const json = { tool: 'diagnostics', skill, input };
        return (await at.request('POST', '/v1/tools/call', { key, json, ...options })).text;
      },
      cancel: async (jobId) => {
        const answer = await harness.request('POST', `/v1/jobs/${jobId}/cancel`, { key });
        expect(answer.status).toBe(200);
      },
    });
    const state = async () => {
      const [row] = await harness.runtime.sql`
        select (select running from api_keys where id = ${keyId}) as running,
          (select credits_held_microusd from api_keys where id = ${keyId})::int as key_held,
          (select held_microusd from accounts where id = ${accountId})::int as held,
          (select count(*) from calls where key_id = ${keyId})::int as calls`;
      return row;
    };
    // The longest takes the one-second deadline plus one second of grace.
    await expect.poll(state, { timeout: 15_000 }).toEqual({ running: 0, key_held: 0, held: 0, calls: 0 });
    const unfinished = await harness.runtime.sql`
      select id from jobs where key_id = ${keyId} and finished_at is null`;
    expect(unfinished).toHaveLength(0);
  });

  it('a late result after a lost lease changes nothing @A5 @E8', async () => {
    const { key, keyId } = await harness.person(1_000_000n);
    const call = harness.request('POST', '/v1/tools/call', {
      key,
      json: { tool: 'probe', skill: 'wait', input: { id: keyId } },
    });
    const { sql } = harness.runtime;
    await expect.poll(async () => (await sql`select 1 from calls where key_id = ${keyId}`).length).toBe(1);
    await sql`update calls set lease_expires_at = now() - interval '1 second' where key_id = ${keyId}`;
    await reapElsewhere(harness.runtime);
    probe.release(keyId);
    const answer = await call;
    expect(answer).toMatchObject({ status: 502, body: { error: { code: 'HANDLER_ERROR', billed: false } } });
    const records = await sql`select status from usage_records where key_id = ${keyId}`;
    expect(records.map((row) => row.status)).toEqual(['error']);
  });
});
