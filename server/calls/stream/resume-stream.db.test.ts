import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { reapElsewhere } from '@/test/support/reap-as-other-process';
import { createScriptedTool } from '@/test/support/scripted-tool';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { tools } from '../../tools/registry';
import { withoutReplayedHint } from '../testing/replayed-hint';
import { openStream, resume, toEssence } from './testing/stream-client';

const script = createScriptedTool();
const CALL = '/v1/tools/call';
let first: Harness;
let second: Harness;
beforeAll(async () => {
  const env = { CONCURRENT_CALLS: '50', ...UNLIMITED_RATES };
  first = await startHarness({ role: 'web', tools: [...tools, script.tool], listen: true, env });
  second = await startHarness({
    role: 'web',
    tools: [...tools, script.tool],
    listen: true,
    env,
    peer: first,
  });
});
afterAll(async () => {
  await second.close();
  await first.close();
});

const scripted = (skill: string, steps: string[], end = 'success') => ({
  tool: 'script',
  skill,
  input: { steps, end },
});
const STEPS = ['log:one', 'progress:0.25', 'pause:60', 'log:two', 'log:three', 'progress:0.5', 'log:four'];

describe('a stream that is cut after any event and resumed at another process', () => {
  it.each([
    ['run', 'success', {}],
    ['run', 'failure', {}],
    ['run', 'refusal', {}],
    ['queued', 'success', {}],
    ['queued', 'failure', {}],
    ['run', 'success', { 'idempotency-key': 'run' }],
    ['run', 'failure', { 'idempotency-key': 'fail' }],
  ])('%s that ends in %s %j has the events of the uncut stream @E7', async (skill, end, headers) => {
    const { key } = await first.person();
    const request = { key, json: scripted(skill, STEPS, end), headers };
    const uncut = await (await openStream(first, CALL, request)).read();
    const lines = uncut.filter(({ event, data }) => event === 'progress' && data.message !== '25%');
    expect(lines.map(({ data }) => data.message)).toEqual(
      expect.arrayContaining(['one', 'two', 'three', 'four']),
    );
    const jobId = uncut[0]?.data.job_id;
    expect(uncut[0]?.data.events_url).toBe(`${first.baseUrl}/v1/jobs/${jobId}/events`);
    expect(toEssence(await resume(second, key, jobId))).toEqual(
      toEssence(uncut).map((event) =>
        // Both processes have one base URL in production.
        event.event === 'started'
          ? {
              ...event,
              data: JSON.parse(JSON.stringify(event.data).replaceAll(first.baseUrl, second.baseUrl)),
            }
          : withBaseUrl(event, first.baseUrl, second.baseUrl),
      ),
    );
    for (const [index, { id }] of uncut.entries()) {
      const rest = await resume(second, key, jobId, id);
      const joined = [
        ...uncut.slice(0, index + 1),
        ...rest.map((e) => withBaseUrl(e, second.baseUrl, first.baseUrl)),
      ];
      expect(toEssence(joined), id).toEqual(toEssence(uncut));
    }
    if (!('idempotency-key' in headers) || end === 'refusal') return;
    const replayed = await (await openStream(first, CALL, request)).read();
    expect(withoutReplayedHint(toEssence(replayed))).toEqual(toEssence(uncut));
  });

  it('while the call runs: the client is cut at each event as the tool goes on', async () => {
    const { key } = await first.person();
    for (const count of [1, 2, 3]) {
      const gate = `live-${count}`;
      const steps = ['log:a', 'pause:10', 'log:b', `gate:${gate}`, 'log:c', 'progress:0.9', 'log:d'];
      for (const skill of ['run', 'queued']) {
        const started = await (await openStream(first, CALL, { key, json: scripted(skill, steps) })).read(
          count,
        );
        const jobId = started[0]?.data.job_id;
        const following = resume(second, key, jobId, started.at(-1)?.id);
        script.open(gate);
        const joined = [...started, ...(await following)];
        expect(joined.filter(({ data }) => data.seq).map(({ data }) => data.message)).toEqual([
          'a',
          'b',
          'c',
          'd',
        ]);
        expect(joined.map(({ event }) => event).slice(-2)).toEqual(['rate_limit', 'result']);
      }
    }
  });
});

it('the result of a call that ends as its client disconnects can be fetched', async () => {
  const { key } = await first.person();
  const cuts = Array.from({ length: 20 }, async (_, n) => {
    // Cut after `started`: before, at, or after the end of the call.
    const json = scripted('run', n % 2 ? [] : [`pause:${n % 5}`]);
    const [started] = await (await openStream(first, CALL, { key, json })).read(1);
    return (await resume(second, key, started?.data.job_id, started?.id)).map(({ event }) => event);
  });
  for (const events of await Promise.all(cuts)) expect(events).toEqual(['rate_limit', 'result']);
});

it('a stream ends with the outcome that the reaper gave the call of a dead process', async () => {
  const { key, accountId } = await first.person(1_000_000n);
  const json = scripted('run', ['log:before', 'gate:never']);
  const open = await openStream(first, CALL, { key, json });
  const started = await open.read(2);
  const { id: callId, job_id: jobId } = started[0]?.data ?? {};
  const following = resume(second, key, jobId, started.at(-1)?.id);
  await first.runtime
    .sql`update calls set lease_expires_at = now() - interval '1 second' where id = ${callId}`;
  expect(await reapElsewhere(first.runtime)).toBe(1);
  const rest = await following;
  expect(rest.map(({ id, event }) => [id, event])).toEqual([
    ['limits', 'rate_limit'],
    ['end', 'error'],
  ]);
  expect(rest.at(-1)?.data.error).toMatchObject({ code: 'HANDLER_ERROR', billed: false });
  expect(await resume(second, key, jobId, 'end')).toEqual([]);
  const [account] = await first.runtime.sql`
    select balance_microusd, held_microusd from accounts where id = ${accountId}`;
  expect(account).toEqual({ balance_microusd: 1_000_000n, held_microusd: 0n });
});

it('a cancelled call ends all of its streams with the same error', async () => {
  const { key } = await first.person();
  const open = await openStream(first, CALL, { key, json: scripted('run', ['log:x', 'gate:never']) });
  const original = open.read();
  let jobId = '';
  await expect
    .poll(async () => {
      const [job] = await first.runtime.sql`
        select j.id from jobs j join job_logs l on l.job_id = j.id where j.status = 'running' and l.message = 'x'`;
      jobId = job?.id ?? '';
      return jobId;
    })
    .not.toBe('');
  const following = resume(first, key, jobId);
  await second.request('POST', `/v1/jobs/${jobId}/cancel`, { key });
  expect(toEssence(await following)).toEqual(toEssence(await original));
});

it('a stopping process ends the streams that follow a job, and they continue elsewhere', async () => {
  const stopping = await startHarness({
    tools: [...tools, script.tool],
    listen: true,
    peer: first,
    role: 'command',
  });
  const { key } = await first.person();
  const open = await openStream(first, CALL, {
    key,
    json: scripted('run', ['log:a', 'gate:restart', 'log:b']),
  });
  const started = await open.read(2);
  const jobId = started[0]?.data.job_id;
  const following = await openStream(stopping, `/v1/jobs/${jobId}/events`, { key });
  const seen = following.read();
  await expect.poll(() => stopping.runtime.notices.waiting).toBe(1);
  await stopping.stop(0);
  const cut = await seen;
  expect(cut.map(({ event }) => event)).toEqual(['started', 'progress']);
  script.open('restart');
  const rest = await resume(second, key, jobId, cut.at(-1)?.id);
  expect(rest.map(({ id }) => id)).toEqual(['2', 'limits', 'end']);
  await stopping.close();
});

describe('GET /v1/jobs/{jobId}/events', () => {
  const start = async (key: string) => {
    const events = await (await openStream(first, CALL, { key, json: scripted('run', ['log:a']) })).read();
    return events[0]?.data.job_id as string;
  };

  it('answers 204 after the last event, so that an EventSource stops to reconnect @E7', async () => {
    const { key } = await first.person();
    const target = `/v1/jobs/${await start(key)}/events`;
    const answer = await first.request('GET', target, { key, headers: { 'last-event-id': 'end' } });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await first.request('GET', `${target}?last_event_id=end`, { key })).status).toBe(204);
  });

  it('takes the id from the query too, and prefers the header', async () => {
    const { key } = await first.person();
    const target = `/v1/jobs/${await start(key)}/events?last_event_id=limits`;
    const ends = await openStream(first, target, { key });
    expect((await ends.read()).map(({ id }) => id)).toEqual(['end']);
    const all = await openStream(first, target, { key, headers: { 'last-event-id': '0' } });
    expect((await all.read()).map(({ id }) => id)).toEqual(['1', 'limits', 'end']);
  });

  it('rejects an id that no event has', async () => {
    const { key } = await first.person();
    const target = `/v1/jobs/${await start(key)}/events`;
    for (const id of ['x', '-1', '1.2.3', '1e3', '9'.repeat(30)]) {
      const answer = await first.request('GET', target, { key, headers: { 'last-event-id': id } });
      expect([answer.status, answer.body.error.fields[0].path], id).toEqual([400, 'last_event_id']);
    }
  });

  it('is for keys that may see the job, and not for a revoked one @E7', async () => {
    const [owner, other] = [await first.person(), await first.person()];
    const target = `/v1/jobs/${await start(owner.key)}/events`;
    expect((await first.request('GET', target, { key: other.key })).status).toBe(404);
    expect((await first.request('GET', target)).status).toBe(401);
    expect((await first.request('GET', '/v1/jobs/job_unknown/events', { key: owner.key })).status).toBe(404);
    await first.request('DELETE', `/v1/keys/${owner.keyId}`, { key: owner.key });
    expect((await second.request('GET', target, { key: owner.key })).status).toBe(401);
  });

  it('does not follow the job for HEAD', async () => {
    const { key } = await first.person();
    const open = await openStream(first, CALL, { key, json: scripted('run', ['gate:never']) });
    const [started] = await open.read(1);
    const head = await first.request('HEAD', `/v1/jobs/${started?.data.job_id}/events`, { key });
    expect([head.status, head.headers['content-type'], head.text]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      '',
    ]);
  });

  it('follows at most 100 jobs per account in a process, and a closed stream frees its place @E7', async () => {
    const { key } = await first.person();
    const open = await openStream(first, CALL, { key, json: scripted('run', ['gate:never']) });
    const [started] = await open.read(1);
    const target = `/v1/jobs/${started?.data.job_id}/events`;
    const streams = [];
    for (let n = 0; n < 100; n++) streams.push(await openStream(second, target, { key }));
    expect(streams.every(({ status }) => status === 200)).toBe(true);
    expect((await openStream(second, target, { key })).status).toBe(503);
    await Promise.all(streams.map((stream) => stream.read(1)));
    await expect.poll(async () => (await openStream(second, target, { key })).status).toBe(200);
  });
});

it('a streamed call is a job before its first event is sent', async () => {
  const { key } = await first.person();
  const json = scripted('run', []);
  const [started] = await (await openStream(first, CALL, { key, json })).read(1);
  const [job] = await first.runtime.sql`select tool from jobs where id = ${started?.data.job_id}`;
  expect(job).toEqual({ tool: 'script' });
});

it('a replay of a call without a job names no address', async () => {
  const { key } = await first.person();
  const headers = { 'idempotency-key': randomUUID() };
  const json = scripted('run', ['log:a']);
  await first.request('POST', CALL, { key, json, headers });
  const replayed = await (await openStream(first, CALL, { key, json, headers })).read();
  expect(replayed.map(({ id, data }) => [id, data.job_id])).toEqual([
    ['0', undefined],
    ['limits', undefined],
    ['end', undefined],
  ]);
});

function withBaseUrl<Event extends { data: unknown }>(event: Event, from: string, to: string): Event {
  return { ...event, data: JSON.parse(JSON.stringify(event.data).replaceAll(from, to)) };
}
