import type { AddressInfo } from 'node:net';
import { Mppx } from 'mppx/client';
import { validate } from 'mppx/discovery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createTestServer } from '@/test/support/test-server';
import { fetchAdapter } from '../server/api/dispatch/fetch-adapter';
import { nodeAdapter } from '../server/api/dispatch/node-adapter';
import { openApiJson } from '../server/api/openapi/openapi';
import { payTopup } from './pay-topup.mjs';
import { sandbox, testCard } from './payment-methods.mjs';

let harness: Harness;
let server: ReturnType<typeof createTestServer>;
let url = '';
beforeAll(async () => {
  harness = await startHarness({ fakeStripe: true, env: { MACHINE_PAYMENTS_SANDBOX: '1' } });
  server = createTestServer(nodeAdapter(harness.dispatcher));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await harness.close();
});

/** Grants tokens of the fake Stripe, which the script does over HTTP. */
const card = () => {
  const { fakeStripe } = harness.runtime.ports;
  if (!fakeStripe) throw new Error('the fake Stripe is missing');
  return testCard({
    api: 'http://stripe.test',
    secretKey: fakeStripe.secretKey,
    fetch: (input, init) => fakeStripe.fetch(new Request(input, init)),
  });
};
const throughNext = (input: RequestInfo | URL, init?: RequestInit) =>
  fetchAdapter(harness.dispatcher)(new Request(input, init));

describe.each([
  ['outside Next', globalThis.fetch],
  ['as a Next route', throughNext],
] as const)('the mppx client %s', (_, fetch) => {
  it.each(['sandbox', 'stripe'] as const)('pays a top-up with %s, like the script', async (name) => {
    const { key } = await harness.person();
    const methods = name === 'sandbox' ? [sandbox()] : [card()];
    const paid = await payTopup({ url, key, amount: 5, methods, fetch });
    expect([paid.status, await paid.json()]).toMatchObject([
      200,
      { credited_usd: 5, charged_usd: 5.8, balance_usd: 5 },
    ]);
  });

  it('pays automatically with the fetch wrapper of mppx', async () => {
    const { key } = await harness.person();
    const client = Mppx.create({ methods: [sandbox()], polyfill: false, fetch });
    const paid = await client.fetch(`${url}/v1/billing/machine-topup`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"amount_usd":20}',
    });
    expect([paid.status, await paid.json()]).toMatchObject([200, { credited_usd: 20, charged_usd: 21.1 }]);
    expect(paid.headers.get('payment-receipt')).toBeTruthy();
  });

  it('gets the validation error of an invalid request', async () => {
    const { key } = await harness.person();
    const refused = await payTopup({ url, key, amount: 0.5, methods: [sandbox()], fetch });
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: 'INVALID_INPUT' } }]);
  });
});

it('is discoverable for payment clients in the OpenAPI document', () => {
  expect(validate(JSON.parse(openApiJson()))).toEqual([]);
});
