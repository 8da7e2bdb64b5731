import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { connectionReset, loseResponse } from '@/test/support/intercept-statement';
import { createProbe } from '@/test/support/probe-tool';
import { readEvents } from '@/test/support/read-events';
import { reapElsewhere } from '@/test/support/reap-as-other-process';
import { newId } from '../../kit/ids';
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
/** Calls a skill of the probe with an Idempotency-Key, which is also the id that counts runs. */
const call = (key: string, skill: string, idempotency: string, { headers, at = one, more }: Options = {}) =>
  at.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'probe', skill, input: { id: idempotency }, ...more },
    headers: { 'idempotency-key': idempotency, ...headers },
  });
const events = { accept: 'text/event-stream' };
const readBalance = async (key: string) =>
  (await one.request('GET', '/v1/billing/balance', { key })).body.available_usd;
/** Expires its lease at once, as if its process were lost. */
const lose = (callId: string) =>
  one.runtime.sql`update calls set lease_expires_at = now() - interval '1 second' where id = ${callId}`;
const findCallId = async (idempotency: string): Promise<string> => {
  for (;;) {
    const [row] = await one.runtime.sql`select c.id from calls c join idempotency_keys i on i.call_id = c.id
      where i.key = ${idempotency}`;
    if (row) return row.id;
    await new Promise((done) => setTimeout(done, 5));
  }
};

describe('a call that is lost with its process', () => {
  it('runs again for the next request if its skill is idempotent, and is charged at most once', async () => {
    const { key } = await one.person();
    const id = newId('request');
    const first = call(key, 'wait', id, { at: two, headers: events });
    await probe.waitUntilStarted(id);
    await lose(await findCallId(id));
    const waiter = call(key, 'wait', id);
    await reapElsewhere(one.runtime);
    probe.release(id);
    expect(await waiter).toMatchObject({ status: 200, body: { output: { run: 2 } } });
    expect(readEvents((await first).text).at(-1)).toMatchObject({
      event: 'error',
      data: { error: { billed: false } },
    });
    expect((await call(key, 'wait', id)).body.output.run).toBe(2);
  });

  it('fails if its skill is not idempotent, and the next request gets the failure', async () => {
    const { key } = await one.person(1000n);
    const id = newId('request');
    const first = call(key, 'wait_paid', id, { at: two, headers: events });
    await probe.waitUntilStarted(id);
    await lose(await findCallId(id));
    await reapElsewhere(one.runtime);
    const lost = { status: 502, body: { error: { code: 'HANDLER_ERROR', billed: false } } };
    expect(await call(key, 'wait_paid', id)).toMatchObject(lost);
    probe.release(id);
    await first;
    expect(await call(key, 'wait_paid', id)).toMatchObject(lost);
    expect(probe.runs(id)).toBe(1);
    expect(await readBalance(key)).toBe(0.001);
  });

  it('is run once by a worker if only the response of the queue is lost', async () => {
    const { key } = await one.person(1000n);
    const id = newId('request');
    const restore = loseResponse(two, 'admit_calls', { each: true });
    expect((await call(key, 'queued_paid', id, { at: two })).status).toBe(503);
    restore();
    const again = call(key, 'queued_paid', id, { at: two });
    await probe.waitUntilStarted(id);
    probe.release(id);
    expect(await again).toMatchObject({ status: 200, body: { output: { run: 1 } } });
    expect(await readBalance(key)).toBe(0.0009);
  });

  it('does not run twice if only the response of the database is lost', async () => {
    const { key } = await one.person(1000n);
    const id = newId('request');
    const { flush } = two.runtime;
    const { admitCall } = flush;
    Object.assign(flush, {
      admitCall: async (request: Parameters<typeof admitCall>[0]) => {
        await admitCall(request);
        throw connectionReset();
      },
    });
    expect((await call(key, 'ok_paid', id, { at: two })).status).toBe(503);
    Object.assign(flush, { admitCall });
    const waiter = call(key, 'ok_paid', id);
    await lose(await findCallId(id));
    await reapElsewhere(one.runtime);
    expect(await waiter).toMatchObject({ status: 502, headers: { 'idempotent-replayed': 'true' } });
    expect(probe.runs(id)).toBe(0);
    expect(await readBalance(key)).toBe(0.001);
  });

  it('does not block the next request if only the response to its Idempotency-Key is lost', async () => {
    const { key } = await one.person(1000n);
    const id = newId('request');
    const { flush } = two.runtime;
    const { acquireIdempotencyKey } = flush;
    Object.assign(flush, {
      acquireIdempotencyKey: async (request: Parameters<typeof acquireIdempotencyKey>[0]) => {
        await acquireIdempotencyKey(request);
        throw connectionReset();
      },
    });
    expect((await call(key, 'ok_paid', id, { at: two })).status).toBe(503);
    Object.assign(flush, { acquireIdempotencyKey });
    expect(await call(key, 'ok_paid', id)).toMatchObject({ status: 200, body: { output: { run: 1 } } });
  });
});
