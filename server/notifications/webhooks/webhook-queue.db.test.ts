import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCliSandbox } from '@/clients/cli/src/testing/cli-sandbox.js';
import { type Harness, startHarness } from '@/test/support/harness';
import { connectionReset } from '@/test/support/intercept-statement';
import { connectMcp } from '@/test/support/mcp-client';
import { startReceiver, verifyWebhook, type WebhookReceiver } from '@/test/support/webhook-receiver';
import { deliverWebhook } from './deliver-webhook';
import { takeQueuedDeliveries } from './delivery-store';
import { advanceWebhooks, createWebhook } from './testing/webhook-fixture';

let receiver: WebhookReceiver;
let hanging: WebhookReceiver;
let harness: Harness;
beforeAll(async () => {
  [receiver, hanging] = await Promise.all([startReceiver(), startReceiver()]);
  hanging.mode = 'hang';
  const OUTBOUND_ALLOW = `${receiver.allow},${hanging.allow}`;
  harness = await startHarness({
    role: 'web',
    listen: true,
    env: { OUTBOUND_ALLOW, PROVISION_PER_HOUR: '100' },
  });
});
afterAll(async () => {
  await harness?.close();
  await Promise.all([receiver?.close(), hanging?.close()]);
});

const accepted = (path: string) => receiver.accepted.filter((each) => each.path === path);
const arrived = async (path: string, count: number) => {
  await expect.poll(() => accepted(path).length, { timeout: 30_000 }).toBe(count);
  return accepted(path);
};

it('the queue sends the ends of jobs that were started over REST, MCP and the command line', async () => {
  const { key } = await harness.person(1_000_000n);
  const desk = await createCliSandbox({ TOOL_GATEWAY_URL: harness.baseUrl, TOOL_GATEWAY_KEY: key });
  const mcp = await connectMcp(harness.baseUrl, '2026-07-28', key);
  try {
    const made = await desk.run(['webhooks', 'create', receiver.url, '--event', 'job.completed']);
    const { id, secret } = made.json;
    const url = (name: string) => `${receiver.url}?${name}`;
    const call = { tool: 'diagnostics', skill: 'echo', input: { message: 'x' } };
    await harness.request('POST', '/v1/tools/call', {
      key,
      json: { ...call, webhook: url('rest') },
      headers: { prefer: 'wait=0' },
    });
    await mcp.callTool('call_tool', { ...call, webhook: url('mcp'), wait_seconds: 0 });
    await desk.run(['call', 'diagnostics', 'echo', '--message', 'x', '--webhook', url('cli'), '--no-wait']);
    const own = (await mcp.callTool('get_webhook_secret', {})).structuredContent.secret;
    expect((await desk.run(['webhooks', 'secret'])).json.secret).toBe(own);
    for (const name of ['rest', 'mcp', 'cli'])
      for (const webhook of await arrived(`/hooks?${name}`, 1))
        expect(verifyWebhook(webhook, own).type).toBe('job.completed');
    for (const webhook of await arrived('/hooks', 3))
      expect(verifyWebhook(webhook, secret).type).toBe('job.completed');

    await desk.run(['webhooks', 'test', id]);
    expect(verifyWebhook((await arrived('/hooks', 4)).at(-1), secret).type).toBe('webhook.test');
    const listed = (await desk.run(['webhooks', 'deliveries', id])).json.deliveries;
    expect(listed).toHaveLength(4);
    const one = (await desk.run(['webhooks', 'deliveries', id, listed[0].id])).json;
    expect(one).toMatchObject({ payload: { type: 'webhook.test' }, log: [{ status: 204 }] });
    await desk.run(['webhooks', 'replay', id, listed[0].id]);
    await arrived('/hooks', 5);
    expect((await desk.run(['webhooks', 'replay', id])).json).toMatchObject({ replayed: 0 });
    const rotated = (await desk.run(['webhooks', 'rotate', id, '--overlap', '0'])).json;
    expect(rotated.secret).not.toBe(secret);
    const updated = await desk.run(['webhooks', 'update', id, '--disable', '--event', 'job.failed']);
    expect(updated.json).toMatchObject({ status: 'disabled', events: ['job.failed'] });
    expect((await desk.run(['webhooks', 'list'])).json.webhooks).toHaveLength(1);
    expect((await desk.run(['webhooks', 'delete', id])).json).toMatchObject({ success: true });
  } finally {
    await mcp.close();
    await desk.remove();
  }
});

it('a receiver that hangs does not delay the events of others @C16 @E24', async () => {
  const send = async (key: string, webhook: string) => {
    const json = { tool: 'diagnostics', skill: 'echo', input: { message: 'x' }, webhook };
    const headers = { prefer: 'wait=0' };
    expect((await harness.request('POST', '/v1/tools/call', { key, json, headers })).status).toBe(202);
  };
  const slow = await harness.person(1_000_000n);
  for (let i = 0; i < 20; i++) await send(slow.key, hanging.url);
  const { key } = await harness.person(1_000_000n);
  await send(key, `${receiver.url}?other`);
  await arrived('/hooks?other', 1);
  expect(hanging.open.size).toBeLessThanOrEqual(2);
});

it('a receiver that is slow but never fails has one delivery a turn, then others are sent first @E24', async () => {
  const peer = await startHarness({ role: 'command', env: { OUTBOUND_ALLOW: receiver.allow } });
  const { sql } = peer.runtime;
  const { key } = await peer.person(1_000_000n);
  const { id } = await createWebhook(peer, key, `${receiver.url}?slow`, ['job.completed']);
  for (let n = 0; n < 4; n++) await peer.request('POST', `/v1/webhooks/${id}/test`, { key });
  const [first, ...others] = await sql<{ id: string }[]>`
    update webhook_deliveries set queued_at = null where holder_id = ${id} returning id`;
  const countQueued = async () =>
    (await sql`select count(*)::int as n from webhook_deliveries where queued_at is not null`)[0]?.n;
  // The turn has ended when the first is delivered.
  await deliverWebhook(peer.runtime, first?.id ?? '', undefined, 0);
  await arrived('/hooks?slow', 1);
  expect(await countQueued()).toBe(1);
  // Within a turn the others follow at once.
  await sql`update webhook_deliveries set queued_at = null`;
  await deliverWebhook(peer.runtime, others[0]?.id ?? '');
  await arrived('/hooks?slow', 4);
  expect(await countQueued()).toBe(0);
  await peer.close();
});

it('deliveries are taken in turns of accounts, however many of one wait', async () => {
  const peer = await startHarness({ role: 'command' });
  const { db, sql } = peer.runtime;
  const add = (account: string, count: number) => sql`
    insert into webhook_deliveries (id, account_id, holder_id, event_id, type, payload, next_attempt_at, expires_at, queued_at)
    select ${account} || n, ${account}, ${account}, 'msg_' || n, 'webhook.test', '{}', now(), now() + interval '1 day',
      now() - make_interval(secs => 100 - n * 0.001) from generate_series(1, ${count}::int) n`;
  await add('a', 1_000);
  await add('b', 2);
  const take = async (limit: number, running: string[]) =>
    (await takeQueuedDeliveries(db, { limit, running })).map(({ id }) => id).sort();
  expect(await take(1, ['a'])).toEqual(['b1']);
  expect(await take(3, ['a', 'b'])).toEqual(['a1', 'a2', 'b2']);
  expect(await take(2, [])).toEqual(['a3', 'a4']);
  const countReads = async () => {
    const undone = new Error('undone');
    let reads = 0;
    const taking = peer.runtime.sql.begin(async (tx) => {
      const read = async () =>
        (
          await tx`select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables
          where relname = 'webhook_deliveries'`
        )[0]?.n;
      const before = await read();
      expect(await tx`select id from take_queued_deliveries(10, array['a'])`).toHaveLength(10);
      reads = (await read()) - before;
      throw undone;
    });
    await taking.catch((error) => expect(error).toBe(undone));
    return reads;
  };
  const spread = () => sql`update webhook_deliveries set account_id = 'c_' || md5(id) where account_id = 'c'`;
  await add('c', 200);
  await spread();
  await sql`analyze webhook_deliveries`;
  const ofFew = await countReads();
  await sql`delete from webhook_deliveries where account_id <> 'a'`;
  await add('c', 10_000);
  await spread();
  await sql`analyze webhook_deliveries`;
  expect(await countReads()).toBeLessThan(ofFew * 1.5);
  await peer.close();
});

it('unclaimed accounts whose receivers hang leave most places to others @E24', async () => {
  const path = '/hooks?unclaimed';
  for (let account = 0; account < 6; account++) {
    const { body } = await harness.request('POST', '/v1/auth/provision');
    const key = body.api_key as string;
    for (let endpoint = 0; endpoint < 2; endpoint++) {
      const { id } = await createWebhook(harness, key, `${hanging.url}?unclaimed`, ['job.completed']);
      for (let event = 0; event < 4; event++) {
        const { status } = await harness.request('POST', `/v1/webhooks/${id}/test`, { key });
        expect(status).toBe(200);
      }
    }
  }
  const { key } = await harness.person(1_000_000n);
  const { id } = await createWebhook(harness, key, `${receiver.url}?fair`, ['job.completed']);
  await harness.request('POST', `/v1/webhooks/${id}/test`, { key });
  await arrived('/hooks?fair', 1);
  expect([...hanging.open].filter((each) => each.path === path).length).toBeLessThanOrEqual(4);
});

it('a delivery that was taken without an answer is sent after the next poll', async () => {
  // Without the round of overdue deliveries, which would find it much later.
  const alone = await startHarness({ role: 'web', env: { OUTBOUND_ALLOW: receiver.allow }, jobs: [] });
  const { db } = alone.runtime;
  const { execute } = db;
  let lost: unknown[] = [];
  db.execute = (async (query: Parameters<typeof execute>[0]) => {
    const rows = await execute.call(db, query);
    const takes = inspect(query, { depth: 6 }).includes('take_queued_deliveries(');
    if (!takes || rows.length === 0 || lost.length > 0) return rows;
    lost = rows;
    throw connectionReset();
  }) as typeof execute;
  const { key } = await alone.person(1_000_000n);
  const { id } = await createWebhook(alone, key, `${receiver.url}?lost`, ['job.completed']);
  await alone.request('POST', `/v1/webhooks/${id}/test`, { key });
  await arrived('/hooks?lost', 1);
  expect(lost).toHaveLength(1);
  await alone.close();
});

it('a failed delivery waits in the queue until its next attempt is due', async () => {
  const { sql } = harness.runtime;
  const { key } = await harness.person(1_000_000n);
  const { id } = await createWebhook(harness, key, `${receiver.url}?delayed`, ['job.completed']);
  receiver.mode = { status: 500 };
  await harness.request('POST', `/v1/webhooks/${id}/test`, { key });
  const delivery = () => sql`
    select attempts, queued_at = next_attempt_at and queued_at > now() as waits from webhook_deliveries
    where holder_id = ${id}`;
  await expect.poll(delivery, { timeout: 30_000 }).toEqual([{ attempts: 1, waits: true }]);
  receiver.mode = { status: 204 };
  await advanceWebhooks(harness, 6);
  await arrived('/hooks?delayed', 1);
});
