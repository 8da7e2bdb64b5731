import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { readEvents } from '@/test/support/read-events';
import { newId } from '../../kit/ids';
import { grantAccount } from '../../money/billing/grant-account';
import { reconcile } from '../../money/reconcile/reconcile';

const probe = createProbe();
let one: Harness;
let two: Harness;
beforeAll(async () => {
  const env = { WAIT_SECONDS: '20' };
  one = await startHarness({ role: 'web', tools: [probe.tool], env });
  two = await startHarness({ role: 'web', tools: [probe.tool], env, peer: one });
});
afterAll(async () => {
  expect((await reconcile(one.runtime)).differences).toEqual([]);
  await two.close();
  await one.close();
});

interface Options {
  headers?: Record<string, string>;
  at?: Harness;
  more?: object;
}
/**
 * Calls a skill of the probe with an Idempotency-Key; the id is the key, so that runs can be
 * counted.
 */
const call = (key: string, skill: string, idempotency: string, { headers, at = one, more }: Options = {}) =>
  at.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'probe', skill, input: { id: idempotency }, ...more },
    headers: { 'idempotency-key': idempotency, ...headers },
  });
const events = { accept: 'text/event-stream' };
const poll = (key: string, jobId: string) => one.request('GET', `/v1/jobs/${jobId}`, { key });
const readBalance = async (key: string) =>
  (await one.request('GET', '/v1/billing/balance', { key })).body.available_usd;

describe('identical calls with one Idempotency-Key', () => {
  it('run and charge once when fifty arrive at once in two processes, with equal responses', async () => {
    const { key } = await one.person(1000n);
    const id = newId('request');
    const asked = Array.from({ length: 50 }, (_, i) => call(key, 'wait_paid', id, { at: i % 2 ? one : two }));
    await probe.waitUntilStarted(id);
    setTimeout(() => probe.release(id), 100);
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200, body: { output: { run: 1 }, usage: { cost: 0.0001 } } });
    expect(answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(49);
    expect(answers.every(({ headers }) => headers.ratelimit !== undefined)).toBe(true);
    expect(probe.runs(id)).toBe(1);
    expect(await readBalance(key)).toBe(0.0009);
  });

  it('get the same job when fifty arrive for a call that becomes a job', async () => {
    const { key } = await one.person(1000n);
    const id = newId('request');
    const asked = Array.from({ length: 50 }, (_, i) =>
      call(key, 'wait_paid', id, { at: i % 2 ? one : two, headers: { prefer: 'wait=1' } }),
    );
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const [{ status, body }] = answers as [(typeof answers)[0]];
    expect(status).toBe(202);
    expect(answers.every(({ headers }) => headers.location === body.poll_url)).toBe(true);
    probe.release(id);
    while ((await poll(key, body.job_id)).body.status !== 'completed');
    expect((await call(key, 'wait_paid', id)).body).toEqual(body);
    expect(probe.runs(id)).toBe(1);
    expect(await readBalance(key)).toBe(0.0009);
  });

  it('get the stored failure with its message; a new key runs the call again', async () => {
    const { key } = await one.person(1000n);
    const id = newId('request');
    const first = await call(key, 'fail_paid', id);
    expect(first).toMatchObject({ status: 502, body: { error: { message: 'It fails.', billed: false } } });
    const again = await call(key, 'fail_paid', id, { at: two });
    expect(again).toMatchObject({ status: 502, headers: { 'idempotent-replayed': 'true' } });
    const { resolution_hint: firstHint, ...failure } = first.body.error;
    const { resolution_hint: hint, ...stored } = again.body.error;
    expect(stored).toEqual(failure);
    expect(hint).toMatch(/^This is the stored response of an earlier request, which never runs again\./);
    expect(hint).toContain(firstHint);
    expect(probe.runs(id)).toBe(1);
    expect(await readBalance(key)).toBe(0.001);
  });

  it('get the stored failure also if Postgres cannot store its message unchanged', async () => {
    const { key } = await one.person(1000n);
    const id = newId('request');
    const ask = () =>
      one.request('POST', '/v1/tools/call', {
        key,
        json: { tool: 'probe', skill: 'fail_paid', input: { id: `${id}\0` } },
        headers: { 'idempotency-key': id },
      });
    const answers = [await ask(), await ask()];
    expect(answers[0]).toMatchObject({ status: 502, body: { error: { code: 'HANDLER_ERROR' } } });
    expect(answers[1]?.body.error.message).toBe(answers[0]?.body.error.message);
    expect(probe.runs(`${id}\0`)).toBe(1);
  });

  it('run once in the queue too, and store their result', async () => {
    const { key } = await one.person();
    const id = newId('request');
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(key, 'queued', id)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 200, body: { output: { run: 1 } } });
  });

  it('are distinct for another account, body or route', async () => {
    const [person, outsider] = [await one.person(), await one.person()];
    const id = newId('request');
    await call(person.key, 'ok', id);
    expect((await call(outsider.key, 'ok', id)).body.output.run).toBe(2);
    const mismatch = { status: 422, body: { error: { code: 'IDEMPOTENCY_MISMATCH', type: 'validation' } } };
    expect(await call(person.key, 'fail', id)).toMatchObject(mismatch);
    expect(await call(person.key, 'ok', id, { more: { billing: 'personal' } })).toMatchObject(mismatch);
    const headers = { 'idempotency-key': id };
    const calls = [{ tool: 'probe', skill: 'ok', input: { id } }];
    expect(
      await one.request('POST', '/v1/tools/batch', { key: person.key, json: { calls }, headers }),
    ).toMatchObject(mismatch);
    // The same request in another notation, with a quoted key.
    const same = await one.request('POST', '/v1/tools/call', {
      key: person.key,
      raw: `{ "input": {"id":"${id}"},  "skill":"ok", "tool":"probe" }`,
      headers: { 'idempotency-key': `"${id}"` },
    });
    expect(same).toMatchObject({ status: 200, headers: { 'idempotent-replayed': 'true' } });
  });

  it.each(['', ' ', '""', 'x'.repeat(256), 'ключ', 'a, b', '"a", "b"'])(
    'with the key %j are rejected before anything runs',
    async (idempotency) => {
      const { key } = await one.person();
      const id = newId('request');
      const answer = await one.request('POST', '/v1/tools/call', {
        key,
        json: { tool: 'probe', skill: 'ok', input: { id } },
        headers: { 'idempotency-key': idempotency },
      });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 'INVALID_INPUT', fields: [{ path: 'Idempotency-Key' }] } },
      });
      expect(probe.runs(id)).toBe(0);
    },
  );

  it('are rejected if the body is too deep to compare', async () => {
    const { key } = await one.person();
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    for (const path of ['call', 'batch'])
      expect(
        await one.request('POST', `/v1/tools/${path}`, {
          key,
          raw: `{"tool":"probe","skill":"ok","input":{"x":${deep}},"calls":[{"tool":"probe","skill":"ok","input":{"x":${deep}}}]}`,
          headers: { 'idempotency-key': newId('request') },
        }),
      ).toMatchObject({ status: 400, body: { error: { code: 'INVALID_INPUT' } } });
  });
});

describe('not stored', () => {
  it('is a refusal: the same request may be sent again when the reason is gone', async () => {
    const { key, accountId } = await one.person(0n);
    const id = newId('request');
    expect((await call(key, 'ok_paid', id)).status).toBe(402);
    await grantAccount(one.runtime, 'operator:test', { accountId, amount: 1000n, ref: id, memo: 'test' });
    const paid = await call(key, 'ok_paid', id);
    expect(paid).toMatchObject({ status: 200, body: { output: { run: 1 } } });
    expect(paid.headers['idempotent-replayed']).toBeUndefined();
  });

  it('is a refusal by a rate limit', async () => {
    const { key, keyId } = await one.person();
    const id = newId('request');
    await one.runtime
      .sql`update api_keys set window_used[1] = 60, window_started_at[1] = now() where id = ${keyId}`;
    expect((await call(key, 'ok', id)).status).toBe(429);
    await one.runtime.sql`update api_keys set window_used[1] = 0 where id = ${keyId}`;
    expect((await call(key, 'ok', id)).status).toBe(200);
  });

  it('is a dry run, which does not look for a stored response either', async () => {
    const { key } = await one.person(1000n);
    const id = newId('request');
    const dry = await call(key, 'ok_paid', id, { more: { dry_run: true } });
    expect(dry).toMatchObject({ status: 200, body: { valid: true } });
    expect((await call(key, 'ok_paid', id)).body.output.run).toBe(1);
    expect((await call(key, 'ok_paid', id, { more: { dry_run: true } })).body).toMatchObject({ valid: true });
  });
});

describe('a stream with an Idempotency-Key', () => {
  it('stores its result: a concurrent request without events waits for it, a later stream replays it', async () => {
    const { key } = await one.person(1000n);
    const id = newId('request');
    const streaming = call(key, 'wait_paid', id, { headers: events });
    await probe.waitUntilStarted(id);
    const meanwhile = call(key, 'wait_paid', id, { at: two });
    setTimeout(() => probe.release(id), 100);
    const received = readEvents((await streaming).text);
    const result = received.at(-1)?.data;
    expect(result).toMatchObject({ status: 'success', output: { run: 1 } });
    expect(await meanwhile).toMatchObject({
      status: 200,
      headers: { 'idempotent-replayed': 'true' },
      body: result,
    });
    const again = await call(key, 'wait_paid', id, { at: two, headers: events });
    expect(again.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'idempotent-replayed': 'true',
    });
    expect(readEvents(again.text)).toMatchObject([
      { id: '0', event: 'started', data: { id: result?.id, tool: 'probe', skill: 'wait_paid' } },
      { id: 'limits', event: 'rate_limit', data: { policy: 'minute', limit: 60 } },
      { id: 'end', event: 'result', data: result },
    ]);
    expect(await readBalance(key)).toBe(0.0009);
  });

  it('replays a stored failure as an event', async () => {
    const { key } = await one.person(1000n);
    const id = newId('request');
    const { body } = await call(key, 'fail_paid', id);
    const received = readEvents((await call(key, 'fail_paid', id, { headers: events })).text);
    expect(received.map(({ event }) => event)).toEqual(['started', 'rate_limit', 'error']);
    const { resolution_hint: _, ...failure } = body.error;
    expect(received.at(-1)?.data).toMatchObject({
      error: { ...failure, resolution_hint: expect.stringContaining('stored response') },
    });
  });

  it('follows the job of the first response to its end', async () => {
    const { key } = await one.person(1000n);
    const id = newId('request');
    const { body } = await call(key, 'wait_paid', id, { headers: { prefer: 'wait=1' } });
    expect(body).toMatchObject({ status: 'pending' });
    const streaming = call(key, 'wait_paid', id, { at: two, headers: events });
    setTimeout(() => probe.release(id), 100);
    const received = readEvents((await streaming).text);
    expect(received[0]).toMatchObject({ event: 'started', data: { id: body.id, job_id: body.job_id } });
    expect(received.at(-1)).toMatchObject({ event: 'result', data: { id: body.id, status: 'success' } });
    expect(probe.runs(id)).toBe(1);
  });
});

describe('a retry with the same key after its account was claimed', () => {
  const provision = async () => {
    const { body } = await one.request('POST', '/v1/auth/provision');
    return { key: body.api_key as string, token: new URL(body.claim_url).searchParams.get('token') };
  };
  const claimBy = async (key: string, token: string | null) =>
    expect((await one.request('POST', '/v1/auth/claim', { key, json: { token } })).status).toBe(200);
  const batch = (key: string, id: string, at: Harness) =>
    at.request('POST', '/v1/tools/batch', {
      key,
      json: { calls: [{ tool: 'probe', skill: 'wait', input: { id } }] },
      headers: { 'idempotency-key': id },
    });

  it('gets the stored response, even if the person used the same Idempotency-Key @A25', async () => {
    const [person, agent] = [await one.person(1000n), await provision()];
    const [id, own] = [newId('request'), newId('request')];
    const first = await call(agent.key, 'ok', id);
    const ours = await one.request('POST', '/v1/tools/call', {
      key: person.key,
      json: { tool: 'probe', skill: 'ok_paid', input: { id: own } },
      headers: { 'idempotency-key': id },
    });
    await claimBy(person.key, agent.token);
    for (const at of [one, two]) expect((await call(agent.key, 'ok', id, { at })).text).toBe(first.text);
    expect(probe.runs(id)).toBe(1);
    expect((await call(agent.key, 'ok_paid', id)).status).toBe(422);
    const again = { more: { input: { id: own } } };
    expect((await call(person.key, 'ok_paid', id, again)).text).toBe(ours.text);
    expect(probe.runs(own)).toBe(1);
    const paid = newId('request');
    const charged = await call(agent.key, 'ok_paid', paid);
    expect((await call(agent.key, 'ok_paid', paid, { at: two })).text).toBe(charged.text);
    expect(await readBalance(person.key)).toBe(0.0008);
  });

  it('gets the response of the call or batch that ran during the claim @A25', async () => {
    for (const send of [batch, (key: string, id: string, at: Harness) => call(key, 'wait', id, { at })]) {
      const [person, agent, id] = [await one.person(), await provision(), newId('request')];
      const first = send(agent.key, id, one);
      await probe.waitUntilStarted(id);
      await claimBy(person.key, agent.token);
      const second = send(agent.key, id, two);
      await vi.waitUntil(() => two.runtime.notices.waiting > 0, { timeout: 5000, interval: 5 });
      probe.release(id);
      expect((await second).text).toBe((await first).text);
      expect((await first).status).toBe(200);
      expect((await send(agent.key, id, one)).text).toBe((await first).text);
      expect(probe.runs(id)).toBe(1);
    }
  });

  it('is the same request if the first looked up its key before the claim and acquired after it', async () => {
    const [person, agent, id] = [await one.person(), await provision(), newId('request')];
    const { flush } = one.runtime;
    const acquire = flush.acquireIdempotencyKey;
    const looked = new Promise<void>((done) => {
      vi.spyOn(flush, 'acquireIdempotencyKey').mockImplementationOnce(async (request) => {
        done();
        await vi.waitUntil(() => claimed, { timeout: 5000, interval: 5 });
        return await acquire(request);
      });
    });
    let claimed = false;
    const first = call(agent.key, 'ok', id);
    await looked;
    await claimBy(person.key, agent.token);
    claimed = true;
    expect((await call(agent.key, 'ok', id, { at: two })).text).toBe((await first).text);
    expect(probe.runs(id)).toBe(1);
    vi.restoreAllMocks();
  });
});
