import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/test/support/database';
import { createNodeListener } from './node-listener';
import { createCheckout, type Fixture, startFixture } from './testing/fixture';

let database: TestDatabase;
let fixture: Fixture;
let server: Server;
let stripe: Stripe;
let origin: string;
beforeAll(async () => {
  database = await createTestDatabase();
  fixture = startFixture(database);
  server = createServer(createNodeListener(fixture.fakeStripe)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  origin = `http://127.0.0.1:${port}`;
  stripe = new Stripe(fixture.fakeStripe.secretKey, {
    protocol: 'http',
    host: '127.0.0.1',
    port,
    maxNetworkRetries: 0,
  });
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await fixture.close();
  await database.drop();
});

describe('the listener for Node', () => {
  it('serves the API and the pages over HTTP', async () => {
    const { id } = await stripe.customers.create({ name: 'Pat – Ünïcode' });
    expect(await stripe.customers.retrieve(id)).toMatchObject({ name: 'Pat – Ünïcode' });
    const { id: session } = await createCheckout(stripe);
    const page = await fetch(`${origin}/checkout/${session}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('Your order');
    expect((await fetch(`${origin}/missing`)).status).toBe(404);
  });

  it('removes a prefix', async () => {
    const mounted = createServer(createNodeListener(fixture.fakeStripe, '/stripe')).listen(0, '127.0.0.1');
    await once(mounted, 'listening');
    const { port } = mounted.address() as AddressInfo;
    const panel = await fetch(`http://127.0.0.1:${port}/stripe`);
    expect(await panel.text()).toContain('<h1>Fake Stripe</h1>');
    mounted.close();
    mounted.closeAllConnections();
  });

  it('drops the connection where a test card says so', async () => {
    const { id: customer } = await stripe.customers.create({});
    const { id: card } = await stripe.paymentMethods.attach('pm_card_cutAfterCharge', { customer });
    const charge = () =>
      stripe.paymentIntents.create(
        {
          amount: 500,
          currency: 'usd',
          customer,
          payment_method: card,
          confirm: true,
          off_session: true,
        },
        { idempotencyKey: 'cut' },
      );
    await expect(charge()).rejects.toThrow(/terminated|connection|Invalid JSON/i);
    expect((await charge()).status).toBe('succeeded');
  });

  it('rejects a body over 100 kB', async () => {
    const response = await fetch(`${origin}/v1/customers`, { method: 'POST', body: 'a'.repeat(100_001) });
    expect(response.status).toBe(413);
  });
});

it('README.md contains example.ts', () => {
  const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
  expect(read('README.md')).toContain(read('example.ts'));
});
