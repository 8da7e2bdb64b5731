import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import {
  type ReceivedWebhook,
  startReceiver,
  verifyWebhook,
  type WebhookReceiver,
} from '@/test/support/webhook-receiver';
import { reportExpiringKeys } from '../../identity/keys/report-expiring';
import { reconcile } from '../../money/reconcile/reconcile';
import { createOutboundFetch } from '../../platform/ports/outbound';
import { OutboundGuard } from '../../platform/ports/outbound-guard';
import { parseAllowedHost } from '../../platform/settings/allowed-host';
import { advanceWebhooks, createWebhook, deliverDue, passTime } from './testing/webhook-fixture';

let receiver: WebhookReceiver;
let harness: Harness;
/** Replaces the time limit of a request while the receiver hangs. */
let timeoutMs: number | undefined;
beforeAll(async () => {
  receiver = await startReceiver();
  const allow = [parseAllowedHost(receiver.allow)].filter((host) => host !== null);
  const fetch = createOutboundFetch({ guard: new OutboundGuard({ allow }) });
  harness = await startHarness({
    role: 'command',
    env: { OUTBOUND_ALLOW: receiver.allow },
    ports: { outbound: (input, init) => fetch(input, { ...init, ...(timeoutMs && { timeoutMs }) }) },
  });
});
afterAll(async () => {
  await harness?.close();
  await receiver?.close();
});
beforeEach(async () => {
  receiver.mode = { status: 204 };
  receiver.received.length = 0;
  receiver.accepted.length = 0;
  await harness.runtime.sql`delete from webhook_deliveries`;
});
afterEach(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});

const sql = () => harness.runtime.sql;
const ALL = ['job.completed', 'job.failed', 'job.cancelled', 'key.claimed', 'balance.low'];

const createEndpoint = (key: string, events = ALL) => createWebhook(harness, key, receiver.url, events);

/** Makes a call that becomes a job, and waits for its end. */
async function runJob(key: string, extra: object = {}): Promise<string> {
  const { status, body } = await harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'diagnostics', skill: 'echo', input: { message: 'x' }, ...extra },
    headers: { prefer: 'wait=0' },
  });
  expect(status).toBe(202);
  const job = await harness.request('GET', `/v1/jobs/${body.job_id}`, { key });
  expect(job.body.status).toBe('completed');
  return body.job_id;
}

async function listDeliveries(key: string, id: string) {
  const { body } = await harness.request('GET', `/v1/webhooks/${id}/deliveries`, { key });
  return body.deliveries as { id: string; state: string; attempts: number; last_error: string | null }[];
}

describe('an event', () => {
  it('of a job is sent with a valid signature, to the endpoint and to the webhook of the call', async () => {
    const { key } = await harness.person(1_000_000n);
    const endpoint = await createEndpoint(key);
    const { body: own } = await harness.request('GET', '/v1/webhooks/secret', { key });
    const jobId = await runJob(key, { webhook: `${receiver.url}?call=1` });
    await deliverDue(harness);
    expect(receiver.accepted).toHaveLength(2);
    for (const webhook of receiver.accepted) {
      const secret = webhook.path.endsWith('?call=1') ? own.secret : endpoint.secret;
      expect(verifyWebhook(webhook, secret)).toMatchObject({
        type: 'job.completed',
        data: {
          job_id: jobId,
          status: 'completed',
          tool: 'diagnostics',
          error: null,
          poll_url: `http://gateway.test/v1/jobs/${jobId}`,
        },
      });
      expect(webhook.headers['webhook-id']).toMatch(/^msg_[0-9a-z]+$/);
    }
    expect(await listDeliveries(key, endpoint.id)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  });

  it('of an expiring key is written a week and a day before, once each', async () => {
    const { key } = await harness.person();
    const { secret } = await createEndpoint(key, ['key.expiring']);
    const { body: made } = await harness.request('POST', '/v1/keys', {
      key,
      json: { name: 'short', expires_at: new Date(Date.now() + 3 * 86_400_000).toISOString() },
    });
    const report = async () => {
      await Promise.all([reportExpiringKeys(harness.runtime), reportExpiringKeys(harness.runtime)]);
      await deliverDue(harness);
      return receiver.accepted.length;
    };
    expect([await report(), await report()]).toEqual([1, 1]);
    await sql()`update api_keys set expires_at = now() + interval '20 hours' where id = ${made.id}`;
    expect([await report(), await report()]).toEqual([2, 2]);
    expect(verifyWebhook(receiver.accepted[0] as ReceivedWebhook, secret)).toMatchObject({
      type: 'key.expiring',
      data: { key_id: made.id, name: 'short', expires_at: made.expires_at },
    });
    await sql()`update api_keys set revoked_at = now(), expires_at = now() + interval '1 hour' where id = ${made.id}`;
    expect(await report()).toBe(2);
  });

  it('is not sent for a call that is answered at once, nor to another account or a disabled endpoint', async () => {
    const { key } = await harness.person(1_000_000n);
    const other = await harness.person();
    await createEndpoint(other.key);
    const disabled = await createEndpoint(key);
    await harness.request('PATCH', `/v1/webhooks/${disabled.id}`, { key, json: { enabled: false } });
    await createEndpoint(key, ['job.failed']);
    await harness.request('POST', '/v1/tools/call', {
      key,
      json: { tool: 'math', skill: 'evaluate', input: { expression: '1' }, webhook: receiver.url },
    });
    await runJob(key);
    expect(await sql()`select 1 from webhook_deliveries`).toHaveLength(0);
  });

  it('of a failed and of a cancelled job names the error', async () => {
    const { key } = await harness.person(1_000_000n);
    const { secret } = await createEndpoint(key);
    const start = async (skill: string, input: object) =>
      (
        await harness.request('POST', '/v1/tools/call', {
          key,
          json: { tool: 'diagnostics', skill, input },
          headers: { prefer: 'wait=0' },
        })
      ).body.job_id as string;
    const failed = await start('flaky', { mode: 'throw' });
    await harness.request('GET', `/v1/jobs/${failed}`, { key });
    const cancelled = await start('sleep', { seconds: 60 });
    await harness.request('POST', `/v1/jobs/${cancelled}/cancel`, { key });
    await deliverDue(harness);
    const events = receiver.accepted.map((each) => verifyWebhook(each, secret));
    expect(events).toMatchObject([
      { type: 'job.failed', data: { job_id: failed, error_code: 'HANDLER_ERROR' } },
      { type: 'job.cancelled', data: { job_id: cancelled, error_code: 'CANCELLED' } },
    ]);
  });

  it('of low credit is written with the charge, and one of a team goes to its owner', async () => {
    const { key, userId } = await harness.person(1_000_000n);
    const { secret } = await createEndpoint(key, ['balance.low', 'spending_limit.reached']);
    const teamId = await harness.team(userId, 'acme-hooks', 1_000_000n);
    await sql()`update accounts set warn_below_microusd = 900000 where id = ${teamId}`;
    const spend = (amount: number) =>
      harness.request('POST', '/v1/tools/call', {
        key,
        json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: amount }, billing: 'acme-hooks' },
      });
    expect((await spend(0.2)).status).toBe(200);
    await deliverDue(harness);
    expect(receiver.accepted.map((each) => verifyWebhook(each, secret))).toMatchObject([
      { type: 'balance.low', data: { account_id: teamId, available_usd: 0.8, threshold_usd: 0.9 } },
    ]);
  });

  it('of the spending limit is written once a month and limit, however many calls are refused', async () => {
    const { key, accountId } = await harness.person(1_000_000n);
    const { id, secret } = await createEndpoint(key, ['spending_limit.reached']);
    await sql()`update accounts set budget_limit_microusd = 10000 where id = ${accountId}`;
    const spend = () =>
      harness.request('POST', '/v1/tools/call', {
        key,
        json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.5 } },
      });
    for (let i = 0; i < 3; i++) expect((await spend()).body.error.code).toBe('SPENDING_LIMIT_EXCEEDED');
    await expect.poll(async () => (await listDeliveries(key, id)).length).toBe(1);
    await sql()`select emit_spending_limit(${accountId})`;
    await deliverDue(harness);
    expect(receiver.accepted.map((each) => verifyWebhook(each, secret))).toMatchObject([
      { type: 'spending_limit.reached', data: { account_id: accountId, budget_limit_usd: 0.01 } },
    ]);
  });

  it('of the spending limit of a key is written once a period and limit', async () => {
    const { key: manager, accountId } = await harness.person(1_000_000n);
    const { id, secret } = await createEndpoint(manager, ['spending_limit.reached']);
    const spend_limit = { amount_usd: 0.25, period: 'day' };
    const json = { name: 'limited', spend_limit };
    const limited = (await harness.request('POST', '/v1/keys', { key: manager, json })).body;
    const spend = () =>
      harness.request('POST', '/v1/tools/call', {
        key: limited.secret,
        json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.2 } },
      });
    expect((await spend()).status).toBe(200);
    for (let i = 0; i < 3; i++) expect((await spend()).body.error.code).toBe('SPENDING_LIMIT_EXCEEDED');
    await expect.poll(async () => (await listDeliveries(manager, id)).length).toBe(1);
    await sql()`select emit_key_spending_limit(${limited.id})`;
    await deliverDue(harness);
    const data = {
      account_id: accountId,
      key_id: limited.id,
      period: 'day',
      spend_limit_usd: 0.25,
      spent_usd: 0.2,
    };
    expect(receiver.accepted.map((each) => verifyWebhook(each, secret))).toMatchObject([
      { type: 'spending_limit.reached', data },
    ]);
  });
});

describe('a receiver', () => {
  it('that is down, redirects, hangs and answers 500 gets each event with a valid signature and one id @C16', async () => {
    const { key } = await harness.person(1_000_000n);
    const { id, secret } = await createEndpoint(key);
    const jobs = new Set([await runJob(key), await runJob(key)]);
    receiver.mode = 'down';
    await deliverDue(harness);
    jobs.add(await runJob(key));
    await passTime(harness, 300);
    expect(receiver.accepted).toHaveLength(0);
    receiver.mode = { status: 302, headers: { location: receiver.url } };
    await passTime(harness, 1_200);
    const redirected = receiver.received.length;
    expect(redirected).toBeGreaterThanOrEqual(3);
    receiver.mode = 'hang';
    timeoutMs = 200;
    await passTime(harness, 1_800);
    timeoutMs = undefined;
    receiver.mode = { status: 500, body: 'Out of order' };
    await passTime(harness, 3_600);
    receiver.mode = { status: 200 };
    await passTime(harness, 14_400);
    const events = receiver.accepted.map((each) => verifyWebhook(each, secret));
    expect(new Set(events.map(({ data }) => data.job_id))).toEqual(jobs);
    expect(events).toHaveLength(3);
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(3);
    for (const delivery of await listDeliveries(key, id)) {
      expect(delivery.state).toBe('delivered');
      const { body } = await harness.request('GET', `/v1/webhooks/${id}/deliveries/${delivery.id}`, { key });
      const log = body.log as { status: number | null; error: string | null; response_body: string | null }[];
      expect(log[0]).toMatchObject({ status: 200, error: null });
      const errors = log.map(({ error }) => error ?? '').join('\n');
      for (const expected of ['redirects are not followed', 'did not finish', 'only 2xx'])
        expect(errors).toContain(expected);
      expect(log.some(({ response_body: text }) => text === 'Out of order')).toBe(true);
      expect(JSON.stringify(body)).not.toMatch(/whsec_|v1,/);
    }
  });

  it('that never answers 2xx is given up after 24 hours, and all failed deliveries can be replayed', async () => {
    const { key } = await harness.person(1_000_000n);
    const { id, secret } = await createEndpoint(key);
    await runJob(key);
    receiver.mode = { status: 500 };
    await deliverDue(harness);
    await passTime(harness, 25 * 3_600);
    const [failed] = await listDeliveries(key, id);
    expect(failed).toMatchObject({ state: 'failed', attempts: 11 });
    receiver.mode = { status: 200 };
    const replayed = await harness.request('POST', `/v1/webhooks/${id}/replay-failed`, { key });
    expect(replayed.body).toMatchObject({ replayed: 1 });
    await deliverDue(harness);
    const one = await harness.request('POST', `/v1/webhooks/${id}/deliveries/${failed?.id}/replay`, { key });
    expect(one.body).toMatchObject({ state: 'pending' });
    await deliverDue(harness);
    expect(receiver.accepted.map((each) => verifyWebhook(each, secret).type)).toHaveLength(2);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it('is tested and replayed a limited number of times an hour, fewer before the account is claimed @E25', async () => {
    const { key, accountId } = await harness.person(1_000_000n);
    const { id } = await createEndpoint(key);
    const test = () => harness.request('POST', `/v1/webhooks/${id}/test`, { key });
    const { body } = await test();
    const use = (used: number) => sql()`update rate_windows set used = ${used} where subject = ${accountId}`;
    const replay = (path: string) => harness.request('POST', `/v1/webhooks/${id}/${path}`, { key });
    await use(999);
    expect((await test()).status).toBe(200);
    expect((await replay(`deliveries/${body.id}/replay`)).body.error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      message: 'This account has sent 1000 test events and replays within an hour, the maximum.',
    });
    expect((await replay('replay-failed')).status).toBe(429);
    await use(997);
    for (let failed = 0; failed < 4; failed++) await test();
    await sql()`delete from rate_windows where subject = ${accountId}`;
    await sql()`update webhook_deliveries set state = 'failed', next_attempt_at = null, finished_at = now()
      where holder_id = ${id}`;
    await test();
    await use(997);
    expect((await replay('replay-failed')).body).toEqual({ replayed: 3 });
    expect((await replay('replay-failed')).status).toBe(429);
    const unclaimed = (await harness.request('POST', '/v1/auth/provision')).body;
    const own = await createEndpoint(unclaimed.api_key);
    const again = () => harness.request('POST', `/v1/webhooks/${own.id}/test`, { key: unclaimed.api_key });
    await again();
    await sql()`update rate_windows set used = 60 where subject = ${unclaimed.account_id}`;
    expect((await again()).body.error.message).toContain('60 test events');
  });

  it('gets one delivery again ten times at most @E25', async () => {
    const { key } = await harness.person(1_000_000n);
    const { id } = await createEndpoint(key);
    const { body } = await harness.request('POST', `/v1/webhooks/${id}/test`, { key });
    const replay = () => harness.request('POST', `/v1/webhooks/${id}/deliveries/${body.id}/replay`, { key });
    for (let times = 0; times < 10; times++) expect((await replay()).status).toBe(200);
    expect((await replay()).body.error).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'delivery_id: This delivery was replayed 10 times, the maximum.',
    });
  });

  it('that only fails for five days is disabled with an email, and 410 disables it at once', async () => {
    const { key } = await harness.person(1_000_000n);
    const { id } = await createEndpoint(key);
    receiver.mode = { status: 500 };
    await runJob(key);
    await deliverDue(harness);
    await advanceWebhooks(harness, 4 * 86_400);
    await runJob(key);
    await deliverDue(harness);
    const read = async () => (await harness.request('GET', `/v1/webhooks/${id}`, { key })).body;
    expect(await read()).toMatchObject({ status: 'enabled', failing_since: expect.any(String) });
    await advanceWebhooks(harness, 86_400 + 60);
    await runJob(key);
    await deliverDue(harness);
    expect(await read()).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
    const emails = () => sql()`select 1 from outgoing_emails where kind = 'webhook_disabled' and ref = ${id}`;
    expect(await emails()).toHaveLength(1);
    const replay = await harness.request('POST', `/v1/webhooks/${id}/replay-failed`, { key });
    expect(replay.body.error).toMatchObject({ code: 'INVALID_INPUT' });
    await harness.request('PATCH', `/v1/webhooks/${id}`, { key, json: { enabled: true } });
    expect(await read()).toMatchObject({ status: 'enabled', failing_since: null });
    receiver.mode = { status: 410 };
    await runJob(key);
    await deliverDue(harness);
    expect(await read()).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
    expect(await emails()).toHaveLength(2);
    const states = (await listDeliveries(key, id)).map(({ state }) => state);
    expect(states).not.toContain('pending');
  });

  it('may delay the next attempt with Retry-After', async () => {
    const { key } = await harness.person(1_000_000n);
    await createEndpoint(key);
    await runJob(key);
    receiver.mode = { status: 503, headers: { 'retry-after': '600' } };
    await deliverDue(harness);
    receiver.mode = { status: 200 };
    await passTime(harness, 580);
    expect(receiver.accepted).toHaveLength(0);
    await passTime(harness, 30);
    expect(receiver.accepted).toHaveLength(1);
  });
});

describe('the secret', () => {
  it('is shown once; after a rotation both sign, until the previous one expires', async () => {
    const { key } = await harness.person(1_000_000n);
    const { id, secret: first } = await createEndpoint(key);
    expect(first).toMatch(/^whsec_/);
    const rotated = await harness.request('POST', `/v1/webhooks/${id}/rotate-secret`, { key, json: {} });
    const { secret: second } = rotated.body;
    for (const path of ['/v1/webhooks', `/v1/webhooks/${id}`])
      expect((await harness.request('GET', path, { key })).text).not.toContain('whsec_');
    await runJob(key);
    await deliverDue(harness);
    for (const secret of [first, second])
      expect(verifyWebhook(receiver.accepted[0], secret).type).toBe('job.completed');
    await advanceWebhooks(harness, 24 * 3_600 + 1);
    await runJob(key);
    await deliverDue(harness);
    expect(() => verifyWebhook(receiver.accepted[1], first)).toThrow('No matching signature found');
    expect(verifyWebhook(receiver.accepted[1], second).type).toBe('job.completed');
    await harness.request('POST', `/v1/webhooks/${id}/rotate-secret`, { key, json: { overlap_hours: 0 } });
    await runJob(key);
    await deliverDue(harness);
    expect(() => verifyWebhook(receiver.accepted[2], second)).toThrow('No matching signature found');
  });

  it('is sealed in the database and in no log line', async () => {
    const { key } = await harness.person(1_000_000n);
    const { id, secret } = await createEndpoint(key);
    const [row] = await sql()`select sealed from webhook_secrets where holder_id = ${id}`;
    expect(row?.sealed).toMatch(/^v1\./);
    await runJob(key);
    await deliverDue(harness);
    const [dump] = await sql()`select json_agg(t)::text as text from webhook_attempts t`;
    expect(dump?.text + harness.log.join('\n')).not.toContain(secret.slice('whsec_'.length));
  });
});
