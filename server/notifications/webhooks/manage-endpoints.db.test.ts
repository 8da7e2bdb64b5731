import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { startReceiver, verifyWebhook, type WebhookReceiver } from '@/test/support/webhook-receiver';
import { createWebhook, deliverDue } from './testing/webhook-fixture';

let receiver: WebhookReceiver;
let harness: Harness;
beforeAll(async () => {
  receiver = await startReceiver();
  harness = await startHarness({ role: 'command', env: { OUTBOUND_ALLOW: receiver.allow } });
});
afterAll(async () => {
  await harness?.close();
  await receiver?.close();
});

it.each([
  ['http://example.com/hooks', 'https'],
  ['https://10.0.0.1/hooks', 'public internet'],
  ['https://localhost/hooks', 'public internet'],
  ['https://hooks.localhost/', 'public internet'],
  ['https://169.254.169.254/latest/meta-data', 'public internet'],
  ['https://user:password@example.com/', 'user name'],
  ['ftp://example.com/', 'http'],
  ['https://example.com:22/', 'Port 22'],
  ['nonsense', 'Must be a URL'],
])('refuses the URL %s, for endpoints and for calls @C16', async (url, reason) => {
  const { key } = await harness.person(1_000_000n);
  const made = await harness.request('POST', '/v1/webhooks', {
    key,
    json: { url, events: ['job.failed'] },
  });
  expect(made.body.error).toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining(reason),
  });
  const call = { tool: 'math', skill: 'evaluate', input: { expression: '1' }, webhook: url };
  for (const json of [call, { ...call, dry_run: true }])
    expect((await harness.request('POST', '/v1/tools/call', { key, json })).body.error).toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(`webhook: `),
    });
});

it('refuses more than 16 endpoints, however many are created at once', async () => {
  const { key } = await harness.person();
  const json = { url: receiver.url, events: ['job.failed'] };
  const made = await Promise.all(
    Array.from({ length: 18 }, () => harness.request('POST', '/v1/webhooks', { key, json })),
  );
  expect(made.filter(({ status }) => status === 201)).toHaveLength(16);
  expect(made.find(({ status }) => status === 403)?.body.error.message).toContain('16');
});

it('is for keys that manage the account; every key reads the secret of its own calls @C16', async () => {
  const { key, accountId } = await harness.person(1_000_000n);
  const { id } = await createWebhook(harness, key, receiver.url, ['job.completed']);
  const restricted = await harness.addKey(accountId, 1_000n);
  for (const [method, path, json] of [
    ['GET', '/v1/webhooks', undefined],
    ['POST', '/v1/webhooks', { url: receiver.url, events: ['job.failed'] }],
    ['GET', `/v1/webhooks/${id}`, undefined],
    ['PATCH', `/v1/webhooks/${id}`, { enabled: false }],
    ['DELETE', `/v1/webhooks/${id}`, undefined],
    ['POST', `/v1/webhooks/${id}/rotate-secret`, {}],
    ['POST', `/v1/webhooks/${id}/test`, {}],
    ['GET', `/v1/webhooks/${id}/deliveries`, undefined],
  ] as const)
    expect(
      (await harness.request(method, path, { key: restricted.key, ...(json && { json }) })).body.error.code,
    ).toBe('KEY_RESTRICTED');
  const secrets = await Promise.all(
    [key, key, restricted.key].map(async (each) => {
      const { body } = await harness.request('GET', '/v1/webhooks/secret', { key: each });
      return body.secret as string;
    }),
  );
  expect(new Set(secrets).size).toBe(2);
  const other = await harness.person();
  expect((await harness.request('GET', `/v1/webhooks/${id}`, { key: other.key })).status).toBe(404);
});

it('sends a test event, and deletes an endpoint with its deliveries', async () => {
  const { key } = await harness.person();
  const { id, secret } = await createWebhook(harness, key, receiver.url, ['job.completed']);
  expect((await harness.request('POST', `/v1/webhooks/${id}/test`, { key })).body.state).toBe('pending');
  await deliverDue(harness);
  expect(verifyWebhook(receiver.accepted[0], secret).type).toBe('webhook.test');
  expect((await harness.request('DELETE', `/v1/webhooks/${id}`, { key })).status).toBe(200);
  for (const table of ['webhook_deliveries', 'webhook_secrets'])
    expect(
      await harness.runtime.sql.unsafe(`select 1 from ${table} where holder_id = $1`, [id]),
    ).toHaveLength(0);
});

it('lists each endpoint with its newest delivery and the outcome of its last attempt', async () => {
  const { key } = await harness.person();
  const [first, second] = [
    await createWebhook(harness, key, receiver.url, ['job.completed']),
    await createWebhook(harness, key, receiver.url, ['job.failed']),
  ];
  const read = async () => {
    const { body } = await harness.request('GET', '/v1/webhooks', { key });
    return body.webhooks.map(({ last_delivery: last }: { last_delivery: unknown }) => last);
  };
  const test = (id: string) => harness.request('POST', `/v1/webhooks/${id}/test`, { key });
  expect(await read()).toEqual([null, null]);
  receiver.mode = { status: 204 };
  await test(first.id);
  await deliverDue(harness);
  receiver.mode = { status: 500 };
  await test(second.id);
  const { body: newest } = await test(first.id);
  expect((await read())[0]).toMatchObject({ id: newest.id, state: 'pending', attempted_at: null });
  await deliverDue(harness);
  const failed = { type: 'webhook.test', state: 'pending', status: 500, attempted_at: expect.any(String) };
  expect(await read()).toEqual([
    expect.objectContaining({ ...failed, id: newest.id, error: expect.stringContaining('answered 500') }),
    expect.objectContaining(failed),
  ]);
  const one = await harness.request('GET', `/v1/webhooks/${first.id}`, { key });
  expect(one.body.last_delivery).toMatchObject({ id: newest.id, status: 500 });
  receiver.mode = { status: 204 };
});
