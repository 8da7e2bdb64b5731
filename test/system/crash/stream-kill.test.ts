// Kills a process with open streams, cut at different events: each continues at another process.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReadEvent, readEventStream } from '../../support/read-events';
import { UNLIMITED_RATES } from '../../support/unlimited-rates';
import { createKey } from '../fixtures/accounts';
import { diagnostics } from '../fixtures/gateway-client';
import { type GatewayPair, startPair } from '../fixtures/gateway-pair';
import { saveResult } from '../fixtures/test-results';

/** Each stream is cut after this many events. */
const CUTS = [1, 2, 3, 5, 8];
const SETTINGS = { LEASE_SECONDS: '4', CONCURRENT_CALLS: '20', ...UNLIMITED_RATES };

let pair: GatewayPair;
let key: string;

beforeAll(async () => {
  pair = await startPair(SETTINGS, {});
  key = await createKey(pair.first, 'streams', 1);
});

afterAll(async () => {
  saveResult('crash/stream-kill.log', pair.first.log());
  await pair.stop();
});

test('after kill -9 each stream continues at another process, without a lost or repeated event @E7', async () => {
  const { first, second } = pair;
  const running = diagnostics('sleep', { seconds: 300, log_every_seconds: 0.1 });
  const queued = diagnostics('background', { seconds: 10, steps: 20 });
  const cut = await Promise.all([
    ...CUTS.map((count) => startStream(second.baseUrl, running, count)),
    startStream(second.baseUrl, queued, 3),
  ]);
  await second.kill();
  const all = await Promise.all(
    cut.map(async (started) => [...started, ...(await resumeStream(first.baseUrl, started))]),
  );
  for (const events of all) {
    const names = events.map(({ event }) => event);
    expect(names.filter((name) => name !== 'progress').slice(0, 2)).toEqual(['started', 'rate_limit']);
    const lines = events
      .filter(({ id, event }) => event === 'progress' && id !== '0')
      .map(({ data }) => data.seq);
    const distinct = [...new Set(lines)].filter((seq) => seq > 0);
    expect(distinct).toEqual(distinct.map((_, index) => index + 1));
    expect(lines).toEqual(lines.toSorted((a, b) => a - b));
  }
  const ends = all.map((events) => events.at(-1));
  expect(ends.map((end) => end?.event)).toEqual([...CUTS.map(() => 'error'), 'result']);
  expect(ends[0]?.data.error).toMatchObject({ code: 'HANDLER_ERROR', billed: false });
  expect(ends.at(-1)?.data).toMatchObject({ status: 'success', output: { steps_done: 20 } });
});

async function startStream(baseUrl: string, call: object, count: number): Promise<ReadEvent[]> {
  const response = await fetch(`${baseUrl}/v1/tools/call`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify(call),
  });
  return await readUpTo(response, count);
}

async function resumeStream(baseUrl: string, started: readonly ReadEvent[]): Promise<ReadEvent[]> {
  const headers = { authorization: `Bearer ${key}`, 'last-event-id': started.at(-1)?.id ?? '' };
  const response = await fetch(`${baseUrl}/v1/jobs/${started[0]?.data.job_id}/events`, { headers });
  return await readUpTo(response, Number.POSITIVE_INFINITY);
}

async function readUpTo({ body }: Response, count: number): Promise<ReadEvent[]> {
  const events: ReadEvent[] = [];
  for await (const event of readEventStream(body)) {
    events.push(event);
    if (events.length >= count) break;
  }
  return events;
}
