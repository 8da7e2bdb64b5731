import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startRawSite } from '@/test/support/raw-site';
import { watchUncaught } from '@/test/support/uncaught';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import { createSmtpMailer, SMTP_TIMEOUTS } from './mail';
import {
  callBlobStore,
  callPayments,
  createPaymentsAt,
  FEW_ANSWERS,
  json,
  PORT_ANSWERS,
  SWITCHES,
} from './testing/hostile-port-responses';
import { STRIPE_LIMIT_MS } from './translate-stripe-errors';

let uncaught: ReturnType<typeof watchUncaught>;
beforeEach(() => {
  uncaught = watchUncaught();
});
afterEach(() => uncaught.stop());

it('an invalid response of the payment provider fails only its request', async () => {
  await callPayments(FEW_ANSWERS);
  expect(uncaught.errors).toEqual([]);
});

it('a response that the Stripe SDK would wait for endlessly ends at a time limit', async () => {
  const answer = PORT_ANSWERS.get(SWITCHES);
  if (!answer) throw new Error('This response does not exist');
  const site = await startRawSite(answer);
  await expect(createPaymentsAt(site.origin, 50).findPayment('pi_1')).rejects.toThrow(
    new PaymentsUnavailable('The payment provider did not respond'),
  );
  await site.close();
  expect(STRIPE_LIMIT_MS).toBeLessThan(35_000);
  expect(uncaught.errors).toEqual([]);
});

it.each(['null', '5', '"x"', 'true'])(
  'a response of %s, which is not an object, fails its request at once @F15',
  async (body) => {
    const site = await startRawSite(json(body));
    await expect(createPaymentsAt(site.origin).findPayment('pi_1')).rejects.toBeInstanceOf(
      PaymentsUnavailable,
    );
    await site.close();
    expect(uncaught.errors).toEqual([]);
  },
);

it('an invalid response of the blob store fails only its request', async () => {
  await callBlobStore(FEW_ANSWERS);
  expect(uncaught.errors).toEqual([]);
});

/** For servers that never finish. */
const SHORT = { ...SMTP_TIMEOUTS, greetingTimeout: 200 };

it.each<[string, string[], typeof SHORT?]>([
  ['no greeting', ['garbage\r\n']],
  ['a greeting of bytes', ['\0\xff\xfe\r\n\r\n']],
  ['an endless line', ['220 ', 'x'.repeat(2_000_000)], SHORT],
  ['many greetings', ['220 a\r\n'.repeat(1_000)]],
  ['a greeting that goes on', ['220-a\r\n'.repeat(1_000)], SHORT],
  ['codes that are none', ['999 x\r\n', '-1 x\r\n', '25 x\r\n', 'x250 x\r\n']],
  ['answers to what was not asked', ['220 a\r\n', '250 b\r\n', '354 c\r\n', '250 d\r\n', '221 e\r\n']],
  ['TLS that is none', ['220 a\r\n', '250-a\r\n250 STARTTLS\r\n', '220 go\r\n', 'this is no TLS\r\n']],
  ['an odd sign-in', ['220 a\r\n', '250-a\r\n250 AUTH CRAM-MD5 PLAIN\r\n', '334 \xff!!\r\n', '334 \r\n']],
])('a mail server that answers with %s fails only its mail @F15', async (_, lines, timeouts) => {
  const server: Server = createServer((socket) => {
    let next = 0;
    const send = () => (next < lines.length ? socket.write(lines[next++] ?? '', 'latin1') : socket.destroy());
    socket.on('error', () => undefined).on('data', send);
    send();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const mailer = createSmtpMailer({
    url: `smtp://user:secret@127.0.0.1:${port}`,
    from: 'gateway@example.com',
    brand: { logo: null },
    ...(timeouts && { timeouts }),
  });
  const message = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  await expect(mailer.send(message)).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(uncaught.errors).toEqual([]);
  await new Promise((done) => server.close(done));
});
