import { createServer } from 'node:http';
import { createFakeStripe, createNodeListener } from '@tool-gateway/fake-stripe';
import postgres from 'postgres';
import Stripe from 'stripe';

const sql = postgres(process.env.DATABASE_URL ?? 'postgres://localhost/postgres');
const publicUrl = 'http://localhost:4242';
const deliver = (event: { headers: Record<string, string>; body: string }) =>
  fetch('http://localhost:3000/webhook', { method: 'POST', ...event });
const fakeStripe = createFakeStripe({ sql, publicUrl, deliver, log: console, openApi: true });
createServer(createNodeListener(fakeStripe)).listen(4242, 'localhost');
fakeStripe.start();

const stripe = new Stripe(fakeStripe.secretKey, { protocol: 'http', host: 'localhost', port: 4242 });
const payment = { amount: 1_000, currency: 'usd', confirm: true, payment_method: 'pm_card_visa' };
console.log(`${(await stripe.paymentIntents.create(payment)).status}: see ${publicUrl}`);
