import { randomBytes } from 'node:crypto';
import { sql as raw } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { readEvents } from '@/test/support/read-events';
import { hashSessionToken, sessionCookieName } from '../../identity/sessions/session-token';
import { streamJobLog, streamLive } from './live-streams';

const SOON = { interval: 20 };
/** Lines in the log of a job. */
const LINES = 8;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', pace: { livePollMs: 50 } });
  globalThis.__gateway = { runtime: harness.runtime };
});
afterAll(async () => {
  globalThis.__gateway = undefined;
  await harness.close();
});

async function signIn(userId: string): Promise<{ cookie: string; sessionId: string }> {
  const token = randomBytes(32).toString('hex');
  const sessionId = hashSessionToken(token);
  await harness.runtime.db.execute(
    raw`insert into sessions (session_token, user_id, expires) values (${sessionId}, ${userId}, now() + interval '1 hour')`,
  );
  return { cookie: `${sessionCookieName(harness.runtime.settings.baseUrl)}=${token}`, sessionId };
}

/** Opens a stream as a browser would. */
async function open(
  headers: Record<string, string>,
  path = '/api/live',
  answer: (request: Request) => Promise<Response> = streamLive,
) {
  const leaving = new AbortController();
  const request = new Request(`http://gateway.test${path}`, { headers, signal: leaving.signal });
  const response = await answer(request);
  const stream = { response, text: '', closed: false, leave: () => leaving.abort() };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) stream.text += decoder.decode(chunk);
    stream.closed = true;
  })().catch(() => undefined);
  return stream;
}

/** The named events; heartbeats are comments. */
const parseEvents = (text: string) => readEvents(text).map(({ event, data }) => ({ event, data }));

describe('GET /api/live', () => {
  it('opens before anything has been polled', async () => {
    const idle = await startHarness({ role: 'web', peer: harness, pace: { livePollMs: 3_600_000 } });
    globalThis.__gateway = { runtime: idle.runtime };
    try {
      const { cookie } = await signIn((await harness.person()).userId);
      const stream = await open({ cookie });
      await expect.poll(() => stream.text, SOON).toBe(': open\n\n');
      expect(idle.runtime.live.polls).toBe(0);
      stream.leave();
      await expect.poll(() => idle.runtime.live.watching, SOON).toBe(0);
    } finally {
      globalThis.__gateway = { runtime: harness.runtime };
      await idle.close();
    }
  });

  it('sends names and a token only, including what changed after a token', async () => {
    const { userId, key, keyId } = await harness.person(1_000_000n);
    // Its call runs first, so that balance and calls change in one commit, and one event has both.
    harness.runtime.keyStates.report(keyId, 1_000_000_000n, []);
    const { cookie } = await signIn(userId);
    const first = await open({ cookie });
    expect(first.response.status).toBe(200);
    expect(first.response.headers.get('content-type')).toContain('text/event-stream');
    expect(first.response.headers.get('cache-control')).toContain('no-store');
    await expect.poll(() => parseEvents(first.text).length, SOON).toBe(1);
    const [hello] = parseEvents(first.text);
    expect(hello).toEqual({
      event: 'changed',
      data: { names: ['balance', 'calls', 'jobs'], token: expect.stringMatching(/^[0-9a-f-]+$/) },
    });
    await harness.request('POST', '/v1/tools/call', {
      key,
      json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.01 } },
    });
    await expect.poll(() => parseEvents(first.text)[1]?.data.names, SOON).toEqual(['balance', 'calls']);
    const again = await open({ cookie }, `/api/live?since=${hello?.data.token}`);
    await expect.poll(() => parseEvents(again.text)[0]?.data.names, SOON).toEqual(['balance', 'calls']);
    for (const stream of [first, again]) stream.leave();
    await expect.poll(() => harness.runtime.live.watching, SOON).toBe(0);
  });

  it('refuses a request without a session, with a key, from another site, or by another method', async () => {
    const { userId, key } = await harness.person();
    const { cookie } = await signIn(userId);
    for (const [headers, status] of [
      [{}, 401],
      [{ authorization: `Bearer ${key}` }, 401],
      [{ cookie: cookie.replace(/=.*/, '=wrong') }, 401],
      [{ cookie, origin: 'https://evil.example' }, 401],
      [{ cookie, 'sec-fetch-site': 'cross-site' }, 403],
    ] as [Record<string, string>, number][])
      expect((await open(headers)).response.status).toBe(status);
    const head = await streamLive(
      new Request('http://gateway.test/api/live', { method: 'HEAD', headers: { cookie } }),
    );
    expect(head.status).toBe(405);
    expect(harness.runtime.live.watching).toBe(0);
  });

  it('sends only `other-person` to a page of another user', async () => {
    const [before, now] = [await harness.person(), await harness.person()];
    const { cookie } = await signIn(now.userId);
    const stale = await open({ cookie }, `/api/live?of=${before.userId}`);
    await expect.poll(() => stale.closed, SOON).toBe(true);
    expect(parseEvents(stale.text)).toEqual([{ event: 'over', data: { reason: 'other-person' } }]);
    const own = await open({ cookie }, `/api/live?of=${now.userId}`);
    await expect.poll(() => parseEvents(own.text).at(0)?.event, SOON).toBe('changed');
    own.leave();
  });

  it('ends with `signed-out` when the session ends', async () => {
    const { userId } = await harness.person();
    const { cookie, sessionId } = await signIn(userId);
    const stream = await open({ cookie });
    await expect.poll(() => parseEvents(stream.text).length, SOON).toBe(1);
    await harness.runtime.db.execute(raw`delete from sessions where session_token = ${sessionId}`);
    await expect.poll(() => stream.closed, SOON).toBe(true);
    expect(parseEvents(stream.text).at(-1)).toEqual({ event: 'over', data: { reason: 'signed-out' } });
    expect(harness.runtime.live.watching).toBe(0);
  });

  it('replaces the oldest of eight streams per user with the ninth', async () => {
    const { userId } = await harness.person();
    const { cookie } = await signIn(userId);
    const streams: Awaited<ReturnType<typeof open>>[] = [];
    for (let n = 0; n < 20; n++) streams.push(await open({ cookie }));
    await expect.poll(() => streams.filter(({ closed }) => closed).length, SOON).toBe(12);
    expect(streams.slice(-8).some(({ closed }) => closed)).toBe(false);
    expect(harness.runtime.live.watching).toBe(8);
    expect(parseEvents(streams[0]?.text ?? '').at(-1)).toEqual({
      event: 'over',
      data: { reason: 'replaced' },
    });
    for (const stream of streams) stream.leave();
    await expect.poll(() => harness.runtime.live.watching, SOON).toBe(0);
  });
});

describe('GET /api/live/jobs/{id}', () => {
  it('ends without an error for a malformed job id', async () => {
    const { cookie } = await signIn((await harness.person()).userId);
    for (const id of ['\0', 'job_\0', '%ff', 'job_'.padEnd(80, 'x')]) {
      const stream = await open({ cookie }, '/api/live/jobs/x', (request) => streamJobLog(request, id));
      await expect.poll(() => stream.closed, SOON).toBe(true);
      expect(parseEvents(stream.text)).toEqual([{ event: 'end', data: { status: null } }]);
    }
  });

  it("resumes after the browser's last line, and ends with the job or the session", async () => {
    const person = await harness.person();
    const { cookie, sessionId } = await signIn(person.userId);
    const start = async (seconds: number) =>
      (
        await harness.request('POST', '/v1/tools/call', {
          key: person.key,
          json: { tool: 'diagnostics', skill: 'background', input: { seconds, steps: LINES } },
          headers: { prefer: 'wait=0' },
        })
      ).body.job_id as string;
    const jobId = await start(0.8);
    const follow = (id: string, headers = {}, query = '') =>
      open({ cookie, ...headers }, `/api/live/jobs/${id}${query}`, (request) => streamJobLog(request, id));
    const [whole, resumed, later] = [
      await follow(jobId),
      await follow(jobId, { 'last-event-id': '3' }, '?after=1'),
      await follow(jobId, {}, '?after=2'),
    ];
    for (const stream of [whole, resumed, later]) await expect.poll(() => stream.closed, SOON).toBe(true);
    const seqs = ({ text }: { text: string }) =>
      parseEvents(text).flatMap(({ event, data }) =>
        event === 'lines' ? (data.lines as { seq: number }[]).map(({ seq }) => seq) : [],
      );
    const all = seqs(whole);
    expect(all).toEqual(Array.from({ length: LINES }, (_, index) => index + 1));
    expect(seqs(resumed)).toEqual(all.slice(3));
    expect(seqs(later)).toEqual(all.slice(2));
    expect(parseEvents(whole.text).at(-1)).toEqual({ event: 'end', data: { status: 'completed' } });
    const long = await follow(await start(60));
    await expect.poll(() => long.text, SOON).not.toBe('');
    await harness.runtime.db.execute(raw`delete from sessions where session_token = ${sessionId}`);
    await expect.poll(() => long.closed, SOON).toBe(true);
    expect(parseEvents(long.text).at(-1)).toEqual({ event: 'over', data: { reason: 'signed-out' } });
  });
});
