import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { readEvents } from '@/test/support/read-events';
import { createSessionActor } from '@/test/support/session-actor';
import { resumeInPlayground, runInPlayground } from '../../api/trpc/playground-run';
import { hashSessionToken } from '../../identity/sessions/session-token';
import { deleteAccount } from '../../lifecycle/delete-account';

const BASE = 'http://gateway.test';
const SPEND = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25 } };
const ECHO = { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } };

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const sql = () => harness.runtime.sql;
let sessions = 0;

/** A user signed in in a browser. */
async function visitor(creditMicrousd = 0n) {
  const person = await harness.person(creditMicrousd);
  const token = `session-${++sessions}`;
  await sql()`insert into sessions values (${hashSessionToken(token)}, ${person.userId}, now() + interval '1 hour')`;
  const run = (call: object, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    runInPlayground(
      new Request(`${BASE}/dashboard/playground/run`, {
        method: 'POST',
        headers: {
          origin: BASE,
          'content-type': 'application/json',
          cookie: `next-auth.session-token=${token}`,
          ...headers,
        },
        body: JSON.stringify(call),
        signal: signal ?? null,
      }),
      harness.runtime,
    );
  const resume = (jobId: string, headers: Record<string, string> = {}) =>
    resumeInPlayground(
      new Request(`${BASE}/api/live/jobs/${jobId}/events`, {
        headers: { cookie: `next-auth.session-token=${token}`, ...headers },
      }),
      jobId,
      harness.runtime,
    );
  return { ...person, run, resume };
}

const readEventList = async (response: Response) => readEvents(await response.text());
const listPlaygroundKeys = async (accountId: string) =>
  await sql()<
    { id: string }[]
  >`select id from api_keys where account_id = ${accountId} and kind = 'playground'`;

describe('a call of the playground', () => {
  it('continues after the last event that the page has, for the user who made it', async () => {
    const [person, other] = [await visitor(), await visitor()];
    const uncut = await readEventList(await person.run(ECHO));
    const jobId = uncut[0]?.data.job_id;
    const rest = await person.resume(jobId, { 'last-event-id': 'limits', 'sec-fetch-site': 'same-origin' });
    expect(await readEventList(rest)).toEqual(uncut.slice(-1));
    expect((await person.resume(jobId, { 'last-event-id': 'end' })).status).toBe(204);
    expect((await other.resume(jobId)).status).toBe(404);
    expect((await person.resume(jobId, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await person.resume(jobId, { cookie: '' })).status).toBe(401);
  });

  it('is streamed, charged like a call with a key, and listed in the history under its key', async () => {
    const person = await visitor(1_000_000n);
    const events = await readEventList(await person.run(SPEND));
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(['started', 'rate_limit', 'result']),
    );
    expect(events.at(-1)?.data).toMatchObject({
      status: 'success',
      billed: true,
      usage: { cost: 0.25, credits_remaining: 0.75 },
    });
    const balance = await harness.request('GET', '/v1/billing/balance', { key: person.key });
    expect(balance.body.available_usd).toBe(0.75);
    const [key] = await listPlaygroundKeys(person.accountId);
    const history = await harness.request('GET', `/v1/usage/history?key_id=${key?.id}`, { key: person.key });
    expect(history.body.records).toMatchObject([{ skill: 'spend', cost_usd: 0.25, key_name: 'Playground' }]);
  });

  it('has the rate limits of its own key', async () => {
    const person = await visitor();
    await (await person.run(ECHO)).text();
    await sql()`update api_keys set window_started_at[1] = now(), window_used[1] = 60 where account_id = ${person.accountId}
      and kind = 'playground'`;
    const refused = await person.run(ECHO);
    expect(refused.status).toBe(429);
    const { error } = await refused.json();
    expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', retry_after: expect.any(Number) });
    const byKey = await harness.request('POST', '/v1/tools/call', { key: person.key, json: ECHO });
    expect(byKey.status).toBe(200);
  });

  it('is refused before it starts, like any call: invalid input, no funds, unknown tool', async () => {
    const person = await visitor();
    const refusals = [
      [{ ...SPEND, input: { amount_usd: 'much' } }, 400, 'INVALID_INPUT'],
      [{ ...SPEND, input: 'x' }, 400, 'INVALID_INPUT'],
      [SPEND, 402, 'INSUFFICIENT_CREDITS'],
      [{ ...SPEND, tool: 'nothing' }, 404, 'TOOL_NOT_FOUND'],
    ] as const;
    for (const [call, status, code] of refusals) {
      const answer = await person.run(call);
      expect([answer.status, (await answer.json()).error.code]).toEqual([status, code]);
    }
  });

  it('is refused for a frozen account', async () => {
    const person = await visitor(1_000_000n);
    await sql()`update accounts set frozen_at = now() where id = ${person.accountId}`;
    expect((await person.run(SPEND)).status).toBe(403);
  });

  it('can charge a team of the user, and no other', async () => {
    const owner = await visitor();
    const outsider = await visitor(1_000_000n);
    await harness.team(owner.userId, 'play-team', 1_000_000n);
    const mine = await readEventList(await owner.run({ ...SPEND, billing: 'play-team' }));
    expect(mine.at(-1)?.data).toMatchObject({ usage: { cost: 0.25 }, meta: { billing: 'play-team' } });
    const theirs = await outsider.run({ ...SPEND, billing: 'play-team' });
    expect([theirs.status, (await theirs.json()).error.code]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('the key of the playground', () => {
  it('is created once, also by concurrent first calls', async () => {
    const person = await visitor();
    const answers = await Promise.all(Array.from({ length: 4 }, () => person.run(ECHO).then(readEventList)));
    for (const events of answers) expect(events.at(-1)?.event).toBe('result');
    expect(await listPlaygroundKeys(person.accountId)).toHaveLength(1);
  });

  it('is not listed and cannot be revoked or given credits, but can be read for filters', async () => {
    const person = await visitor();
    await (await person.run(ECHO)).text();
    const [key] = await listPlaygroundKeys(person.accountId);
    const ask = (method: string, path: string, json?: object) =>
      harness.request(method, path, { key: person.key, json });
    const listed = await ask('GET', '/v1/keys');
    expect(listed.body.keys.map(({ id }: { id: string }) => id)).toEqual([person.keyId]);
    expect((await ask('DELETE', `/v1/keys/${key?.id}`)).status).toBe(404);
    expect((await ask('POST', `/v1/keys/${key?.id}/credits`, { amount: 1 })).status).toBe(404);
    expect((await ask('GET', `/v1/keys/${key?.id}`)).body).toMatchObject({
      name: 'Playground',
      key_prefix: 'playground',
    });
  });

  it('is revoked with the account, and does not prevent a claim', async () => {
    const person = await visitor();
    await (await person.run(ECHO)).text();
    const { body } = await harness.request('POST', '/v1/auth/provision');
    const token = new URL(body.claim_url).searchParams.get('token');
    const claimed = await harness.request('POST', '/v1/auth/claim', { key: person.key, json: { token } });
    expect(claimed.status).toBe(200);
    await deleteAccount(harness.runtime, createSessionActor(person));
    expect((await person.run(ECHO)).status).toBe(401);
    const [key] = await sql()`select revoked_at is not null as revoked from api_keys
      where account_id = ${person.accountId} and kind = 'playground'`;
    expect(key?.revoked).toBe(true);
  });
});

describe('the playground route', () => {
  it('accepts only same-origin requests of signed-in users', async () => {
    const person = await visitor();
    expect((await person.run(ECHO, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await person.run(ECHO, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await person.run(ECHO, { cookie: '' })).status).toBe(401);
    const byKey = await person.run(ECHO, { cookie: '', authorization: `Bearer ${person.key}` });
    expect(byKey.status).toBe(401);
    const large = await person.run({ ...ECHO, input: { message: 'x'.repeat(1_100_000) } });
    expect(large.status).toBe(413);
  });

  it('streams the first log line while the call still runs', async () => {
    const person = await visitor();
    const call = { tool: 'diagnostics', skill: 'sleep', input: { seconds: 20, log_every_seconds: 0.1 } };
    const response = await person.run(call);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('event: progress')) text += (await reader?.read())?.value ?? '';
    const [running] =
      await sql()`select count(*)::int as calls from calls c join api_keys k on k.id = c.key_id
      where k.account_id = ${person.accountId}`;
    expect(running?.calls).toBe(1);
    await reader?.cancel();
  });

  it('continues the call as a job when the client disconnects', async () => {
    const person = await visitor();
    const call = { tool: 'diagnostics', skill: 'sleep', input: { seconds: 1 } };
    const response = await person.run(call);
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await expect
      .poll(
        async () => {
          const [job] = await sql()`select status from jobs where account_id = ${person.accountId}`;
          return job?.status;
        },
        { timeout: 10_000 },
      )
      .toBe('completed');
  });
});
