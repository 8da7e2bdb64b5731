// Buys credit as a machine: requests a top-up with a key, gets the payment options, pays. Usage:
// node scripts/pay-topup.mjs --url http://localhost:3000 --key tg_live_… --amount 5
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Mppx } from 'mppx/client';
import { findFakeStripe, sandbox, testCard } from './payment-methods.mjs';

const PATH = '/v1/billing/machine-topup';
const MAX_TRIES = 10;
const PAUSE_SECONDS = 5;

/**
 * Pays one top-up. While the result is unknown it sends the same credential again, never another
 * one.
 * @param {object} options
 * @param {string} options.url of the gateway
 * @param {string} options.key
 * @param {number} options.amount dollars
 * @param {Parameters<typeof Mppx.create>[0]['methods']} options.methods in order of preference
 * @param {typeof globalThis.fetch} [options.fetch]
 * @returns {Promise<Response>} of the paid request, or of the first one if it was rejected
 */
export async function payTopup({ url, key, amount, methods, fetch = globalThis.fetch }) {
  const request = {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount_usd: amount }),
  };
  const asked = await fetch(url + PATH, request);
  if (asked.status !== 402) return asked;
  const payment = await Mppx.create({ methods, polyfill: false }).preparePayment(asked);
  const credential = await payment.createCredential();
  // The credential replaces the key in the Authorization header.
  const paid = payment.setCredential(request, credential);
  for (let tries = 1; ; tries++) {
    const answer = await fetch(url + PATH, paid);
    if (![409, 503].includes(answer.status) || tries === MAX_TRIES) return answer;
    await wait(Number(answer.headers.get('retry-after') ?? PAUSE_SECONDS) * 1000);
  }
}

async function main() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: 'http://localhost:3000' },
      key: { type: 'string' },
      amount: { type: 'string', default: '5' },
      // By default the first supported method that the gateway offers: stripe, then sandbox.
      method: { type: 'string' },
      card: { type: 'string' },
    },
  });
  if (!values.key)
    throw new Error('Pass --key tg_live_…, and optionally --url, --amount, --method or --card.');
  if (values.method && !['stripe', 'sandbox'].includes(values.method))
    throw new Error('--method must be stripe or sandbox.');
  const fakeStripe = values.method === 'sandbox' ? null : await findFakeStripe(values.url);
  if (values.method === 'stripe' && !fakeStripe)
    throw new Error(
      'This gateway has no fake Stripe. For a real one, get a shared payment token from the provider that stores the card.',
    );
  const card = fakeStripe ? [testCard({ ...fakeStripe, card: values.card })] : [];
  const methods = values.method === 'stripe' ? card : [...card, sandbox()];
  const answer = await payTopup({ url: values.url, key: values.key, amount: Number(values.amount), methods });
  const receipt = answer.headers.get('payment-receipt');
  console.log(JSON.stringify(await answer.json(), null, 2));
  if (receipt) console.log('receipt', Buffer.from(receipt, 'base64url').toString());
  process.exitCode = answer.ok ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
