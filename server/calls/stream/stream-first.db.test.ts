import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { reconcile } from '../../money/reconcile/reconcile';
import { COUNTING_PRICE, createCountingTool } from '../testing/counting-tool';
import { withoutReplayedHint } from '../testing/replayed-hint';
import { openStream, resume, toEssence } from './testing/stream-client';

const CALL = '/v1/tools/call';
const HOOK = 'https://93.184.215.14/hook';

const counting = createCountingTool();

let harness: Harness;
let other: Harness;
beforeAll(async () => {
  harness = await startHarness({ tools: [counting.tool], listen: true, env: UNLIMITED_RATES });
  other = await startHarness({ tools: [counting.tool], listen: true, peer: harness });
});
afterAll(async () => {
  await other.close();
  await harness.close();
});
afterEach(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});

/** A person whose key the database has just reported on: its calls run first. */
async function knownPerson(credit = 1_000n) {
  const person = await harness.person(credit);
  harness.runtime.keyStates.report(person.keyId, 1_000_000_000n, []);
  return person;
}

const stream = async (key: string, sent: object = {}, more: object = {}, headers = {}) =>
  await (
    await openStream(harness, CALL, {
      key,
      headers,
      json: { tool: 'counting', skill: 'count', input: sent, ...more },
    })
  ).read();

const readJob = async (key: string, id: string) =>
  (await other.request('GET', `/v1/jobs/${id}`, { key })).body;

async function subscribe(key: string) {
  await harness.request('POST', '/v1/webhooks', {
    key,
    json: { url: HOOK, events: ['job.completed', 'job.failed'] },
  });
}

/** The types of the events that are to be sent for a job: to the endpoint and to the call's URL. */
const listDeliveries = (accountId: string) =>
  harness.runtime.sql`select type, url, payload -> 'data' ->> 'job_id' as job_id from webhook_deliveries
    where account_id = ${accountId} order by url nulls first`;

it('is admitted, charged and recorded with its ended job in one statement', async () => {
  const { key, accountId } = await knownPerson();
  await subscribe(key);
  const before = harness.runtime.flush.counts();
  const events = await stream(key, {}, { webhook: `${HOOK}?call` });
  const after = harness.runtime.flush.counts();
  expect(after.commit.flushes).toBe(before.commit.flushes + 1);
  for (const name of ['admit', 'promote', 'end'] as const) expect(after[name]).toEqual(before[name]);

  expect(events.map(({ id, event }) => [id, event])).toEqual([
    ['0', 'started'],
    ['limits', 'rate_limit'],
    ['end', 'result'],
  ]);
  const { id, job_id, events_url, poll_url } = events[0]?.data ?? {};
  expect([events_url, poll_url]).toEqual(
    ['/events', ''].map((end) => `${harness.baseUrl}/v1/jobs/${job_id}${end}`),
  );
  const result = events[2]?.data;
  expect(result).toMatchObject({ id, status: 'success', billed: true, usage: { credits_remaining: 0.0009 } });
  expect(await readJob(key, job_id)).toMatchObject({ status: 'completed', progress: 1, result });
  expect(toEssence(await resume(harness, key, job_id)).slice(1)).toEqual(toEssence(events).slice(1));
  const { body: usage } = await harness.request('GET', `/v1/usage/calls/${id}`, { key });
  expect(usage).toMatchObject({ id, job_id });
  expect(await listDeliveries(accountId)).toEqual(
    [
      { type: 'job.completed', url: null, job_id },
      { type: 'job.completed', url: `${HOOK}?call`, job_id },
    ].sort((a, b) => (a.url ?? '').localeCompare(b.url ?? '')),
  );
});

it('has the rate limit after the call, as the header of the next one', async () => {
  const { key } = await knownPerson();
  const [, limits] = await stream(key);
  const next = await harness.request('POST', CALL, {
    key,
    json: { tool: 'counting', skill: 'count', input: {} },
  });
  expect(limits?.data.remaining).toBe(Number(next.headers['ratelimit-remaining']) + 1);
});

it('that fails costs nothing and ends its job as failed', async () => {
  const { key, accountId } = await knownPerson();
  await subscribe(key);
  const events = await stream(key, { fails: true });
  expect(events.map(({ event }) => event)).toEqual(['started', 'rate_limit', 'error']);
  expect(events[2]?.data.error).toMatchObject({
    code: 'HANDLER_ERROR',
    message: 'It does not count.',
    billed: false,
  });
  const { job_id } = events[0]?.data ?? {};
  expect(await readJob(key, job_id)).toMatchObject({ status: 'failed', error: 'It does not count.' });
  expect(toEssence(await resume(harness, key, job_id)).slice(1)).toEqual(toEssence(events).slice(1));
  expect(await listDeliveries(accountId)).toMatchObject([{ type: 'job.failed', job_id }]);
  const [account] = await harness.runtime
    .sql`select balance_microusd as balance from accounts where id = ${accountId}`;
  expect(account).toEqual({ balance: 1_000n });
});

it.each([false, true])('that logs sends and stores its lines, also if it fails: %s', async (fails) => {
  const { key } = await knownPerson();
  const events = await stream(key, { logs: true, fails });
  expect(events.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['started', 'progress', 'rate_limit', fails ? 'error' : 'result']),
  );
  const { job_id } = events[0]?.data ?? {};
  expect(events.find(({ event }) => event === 'progress')?.data).toMatchObject({
    message: 'counting',
    seq: 1,
    job_id,
  });
  expect(toEssence(await resume(harness, key, job_id)).slice(1)).toEqual(toEssence(events).slice(1));
});

it.each([false, true])('is replayed under its Idempotency-Key, also if it fails: %s', async (fails) => {
  const { key, accountId } = await knownPerson();
  const headers = { 'idempotency-key': randomUUID() };
  const before = counting.runs();
  const first = await stream(key, { fails }, {}, headers);
  const again = await stream(key, { fails }, {}, headers);
  expect(withoutReplayedHint(toEssence(again))).toEqual(toEssence(first));
  expect(counting.runs()).toBe(before + 1);
  const [row] = await harness.runtime
    .sql`select count(*)::int as jobs from jobs where account_id = ${accountId}`;
  expect(row).toEqual({ jobs: 1 });
});

it('that its account cannot pay is an ordinary refusal, and leaves no job', async () => {
  const { key, accountId } = await knownPerson(COUNTING_PRICE - 1n);
  const refused = await harness.request('POST', CALL, {
    key,
    headers: { accept: 'text/event-stream' },
    json: { tool: 'counting', skill: 'count', input: {} },
  });
  expect([refused.status, refused.body.error.code]).toEqual([402, 'INSUFFICIENT_CREDITS']);
  const [row] = await harness.runtime
    .sql`select (select count(*)::int from jobs where account_id = ${accountId}) as jobs,
    (select count(*)::int from usage_records where account_id = ${accountId}) as records`;
  expect(row).toEqual({ jobs: 0, records: 0 });
});

it('whose answer of the database is lost has one job and is charged once', async () => {
  const { key, accountId } = await knownPerson();
  const { flush } = harness.runtime;
  let lost = false;
  const commitCall: typeof flush.commitCall = async (request) => {
    const committed = await flush.commitCall(request);
    if (lost) return committed;
    lost = true;
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  };
  Object.assign(harness.runtime, { flush: { ...flush, commitCall } });
  const events = await stream(key).finally(() => Object.assign(harness.runtime, { flush }));
  expect(events.map(({ event }) => event)).toEqual(['started', 'rate_limit', 'result']);
  const [row] = await harness.runtime.sql`select balance_microusd as balance,
    (select count(*)::int from jobs where account_id = ${accountId}) as jobs from accounts where id = ${accountId}`;
  expect(row).toEqual({ balance: 900n, jobs: 1 });
});

it('without jobs names no address and keeps its events', async () => {
  const off = await startHarness({ tools: [counting.tool], listen: true, env: { JOBS: 'off' } });
  try {
    const { key, keyId, accountId } = await off.person(1_000n);
    off.runtime.keyStates.report(keyId, 1_000_000_000n, []);
    const json = { tool: 'counting', skill: 'count', input: {} };
    const events = await (await openStream(off, CALL, { key, json })).read();
    expect(events.map(({ event }) => event)).toEqual(['started', 'rate_limit', 'result']);
    expect(events[0]?.data.job_id).toBeUndefined();
    const [row] = await off.runtime
      .sql`select count(*)::int as jobs from jobs where account_id = ${accountId}`;
    expect(row).toEqual({ jobs: 0 });
  } finally {
    await off.close();
  }
});
