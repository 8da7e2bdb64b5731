import { examples } from '../channels/cases';
import { type Harness, startHarness } from '../harness';
import { UNLIMITED_RATES } from '../unlimited-rates';
import { startReceiver } from '../webhook-receiver';
import { ServedDocument } from './document';
import type { Pools } from './generate';
import { wrongAuthorizations } from './hostile';

const MANY = '1000000';

/** Skills that are slow on purpose or use the network. */
const SLOW = new Set(['diagnostics.sleep']);

const WEBHOOK_ROUTES = [
  'GET /v1/webhooks/{id}',
  'PATCH /v1/webhooks/{id}',
  'POST /v1/webhooks/{id}/rotate-secret',
  'POST /v1/webhooks/{id}/test',
  'GET /v1/webhooks/{id}/deliveries',
  'GET /v1/webhooks/{id}/deliveries/{delivery_id}',
  'POST /v1/webhooks/{id}/deliveries/{delivery_id}/replay',
  'POST /v1/webhooks/{id}/replay-failed',
];

/** A gateway with some data and the credentials of every kind of caller. */
export interface FuzzFixture {
  harness: Harness;
  document: ServedDocument;
  pools: Pools;
  /** The Authorization header of each caller; undefined for none. */
  credentials: Readonly<Record<string, string | undefined>>;
  close(): Promise<void>;
}

/** Starts it on real HTTP without effective rate limits, except for one key over its limit. */
export async function startFuzzFixture(): Promise<FuzzFixture> {
  const receiver = await startReceiver();
  const harness = await startHarness({
    listen: true,
    fakeStripe: true,
    env: {
      ...UNLIMITED_RATES,
      OUTBOUND_ALLOW: receiver.allow,
      PROVISION_PER_HOUR: MANY,
      PROVISION_PER_DAY: MANY,
      PUBLIC_ASSETS_PER_MINUTE: MANY,
      MACHINE_PAYMENTS_SANDBOX: '1',
    },
  });
  const rich = await harness.person(1_000_000_000n);
  const poor = await harness.person();
  const limited = await harness.person(1_000_000n);
  await harness.runtime.sql`
    update api_keys set window_started_at[1] = now() + interval '1 hour', window_used[1] = ${MANY} where id = ${limited.keyId}`;
  const provisional = (await harness.request('POST', '/v1/auth/provision')).body;
  const claimable = (await harness.request('POST', '/v1/auth/provision')).body;
  const spare = await Promise.all(Array.from({ length: 30 }, () => harness.addKey(rich.accountId)));
  const assetId = await upload(harness, rich.key);
  const job = await harness.request('POST', '/v1/tools/call', {
    key: rich.key,
    json: { tool: 'diagnostics', skill: 'sleep', input: { seconds: 0.3 } },
    headers: { prefer: 'wait=0' },
  });
  const calls = examples
    .filter(({ tool, skill }) => !SLOW.has(`${tool}.${skill}`))
    .map(({ tool, skill, input }) => ({ tool, skill, input }));
  const allowances = await Promise.all([1n, 5n].map((credit) => harness.addKey(rich.accountId, credit)));
  const rotated = await Promise.all([1, 2].map(() => harness.addKey(rich.accountId)));
  const { charged, endpoints, delivery } = await createHistory(harness, rich.key, receiver.url);
  const spareIds = spare.map(({ keyId }) => keyId);
  const wrong = wrongAuthorizations(rich.key).map((value, n) => [`wrong ${n}`, value] as const);
  return {
    harness,
    document: new ServedDocument((await harness.request('GET', '/openapi.json')).body),
    credentials: {
      nobody: undefined,
      rich: `Bearer ${rich.key}`,
      poor: `Bearer ${poor.key}`,
      limited: `Bearer ${limited.key}`,
      provisional: `Bearer ${provisional.api_key}`,
      ...Object.fromEntries(wrong),
    },
    pools: {
      '{tool}': ['math', 'diagnostics', 'text', 'nope'],
      '{id}': [...spareIds, poor.keyId, 'key_unknown'],
      'POST /v1/keys/{id}/credits {id}': allowances.map(({ keyId }) => keyId),
      'POST /v1/keys/{id}/rotate {id}': rotated.map(({ keyId }) => keyId),
      ...Object.fromEntries(
        WEBHOOK_ROUTES.map((route) => [`${route} {id}`, [endpoints[0] ?? '', 'we_unknown']]),
      ),
      'DELETE /v1/webhooks/{id} {id}': endpoints.slice(1),
      '{delivery_id}': [delivery, 'del_unknown'],
      '{call_id}': [charged, 'call_unknown'],
      url: [receiver.url, 'http://10.0.0.1/'],
      '{jobId}': [job.body.job_id, 'job_unknown'],
      '{assetId}': [assetId, 'asset_unknown'],
      '{name}': ['openai', 'nope'],
      'POST /v1/tools/call': calls,
      'calls[]': calls,
      key_id: [...spareIds.slice(0, 2), poor.keyId],
      token: [
        claimable.claim_url.split('token=')[1],
        provisional.claim_url.split('token=')[1],
        'clm_unknown',
      ],
      billing: ['personal', 'personal', 'team', 'no-such-team'],
      tool: ['math', 'text', 'nope'],
    },
    close: async () => {
      await harness.close();
      await receiver.close();
    },
  };
}

/** Creates what some routes read: a charged call, and endpoints of which one has a delivery. */
async function createHistory(harness: Harness, key: string, url: string) {
  const call = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.01 } };
  const charged = (await harness.request('POST', '/v1/tools/call', { key, json: call })).body.id;
  const json = { url, events: ['job.completed'] };
  const endpoints = await Promise.all(
    [1, 2, 3].map(async () => (await harness.request('POST', '/v1/webhooks', { key, json })).body.id),
  );
  const sent = await harness.request('POST', `/v1/webhooks/${endpoints[0]}/test`, { key });
  return { charged, endpoints, delivery: sent.body.id };
}

async function upload(harness: Harness, key: string): Promise<string> {
  const boundary = 'x';
  const raw = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--${boundary}--\r\n`,
  );
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  return (await harness.request('POST', '/v1/assets/upload', { key, raw, headers })).body.asset_id;
}
