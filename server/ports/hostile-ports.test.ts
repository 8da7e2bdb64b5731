import { createServer, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { HOSTILE_ANSWERS } from '../testing/hostile-answers';
import { type RawAnswer, startRawSite } from '../testing/raw-site';
import { watchUncaught } from '../testing/uncaught';
import { createSmtpMailer } from './mail';
import { PaymentsUnavailable } from './ports';
import { createStripePayments } from './stripe-payments';
import { createVercelBlobStore } from './vercel-blob';

const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const json =
  (body: string): RawAnswer =>
  (socket) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
    socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
  };
const answers: [string, RawAnswer][] = [
  ...Object.entries(HOSTILE_ANSWERS),
  ...['null', '5', '"x"', '[]', '{', '', '{"id":{},"object":5}', '{"url":5,"blobs":{}}', deep].map(
    (body, index): [string, RawAnswer] => [`JSON ${index}`, json(body)],
  ),
  ['deep data', json(`{"data":${deep},"blobs":${deep},"object":"list","has_more":false}`)],
];

let uncaught: ReturnType<typeof watchUncaught>;
const environment = { ...process.env };
beforeAll(() => {
  process.env.VERCEL_BLOB_RETRIES = '0';
});
afterAll(() => {
  process.env = environment;
});
beforeEach(() => {
  uncaught = watchUncaught();
});
afterEach(() => uncaught.stop());

/**
 * Each call gets one of the answers to all that it asks; that it ends is all that is wanted of it.
 */
async function askEach(ask: (origin: string) => Promise<unknown>, atOnce: number): Promise<void> {
  const left = [...answers];
  const askNext = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const site = await startRawSite(next[1]);
      await ask(site.origin).catch(() => undefined);
      await site.close();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, askNext));
  await new Promise((resolve) => setTimeout(resolve, 100));
}

it('a payment provider that answers with anything fails only what asked it', {
  timeout: 300_000,
}, async () => {
  await askEach(async (apiBase) => {
    const payments = createStripePayments({
      mode: 'test',
      secretKey: 'sk_test_x',
      webhookSecret: null,
      apiBase,
    });
    await Promise.allSettled([
      payments.createCustomer({ accountId: 'acct', email: 'a@example.com', key: 'x' } as never),
      payments.findCheckout('cs_1'),
      payments.findPayment('pi_1'),
      payments.findSavedCard('cus_1'),
    ]);
  }, answers.length);
  expect(uncaught.errors).toEqual([]);
});

it.each(['null', '5', '"x"', 'true'])(
  'a payment provider that answers with %s, which is no object, fails that call at once',
  async (body) => {
    const site = await startRawSite(json(body));
    const options = { mode: 'test', secretKey: 'sk_test_x', webhookSecret: null } as const;
    const payments = createStripePayments({ ...options, apiBase: site.origin });
    await expect(payments.findPayment('pi_1')).rejects.toBeInstanceOf(PaymentsUnavailable);
    await site.close();
    expect(uncaught.errors).toEqual([]);
  },
);

it('a blob store that answers with anything fails only what asked it', { timeout: 300_000 }, async () => {
  const bytes = async function* () {
    yield Buffer.from('hello');
  };
  await askEach(async (origin) => {
    // One after the other: the SDK reads it at each request.
    process.env.VERCEL_BLOB_API_URL = origin;
    const store = createVercelBlobStore('vercel_blob_rw_store_secret');
    const listing = async () => {
      for await (const key of store.list('a')) if (key === 'stop') break;
    };
    const reading = async () => {
      for await (const chunk of (await store.read('a/b')) ?? []) if (chunk.length < 0) break;
    };
    await Promise.allSettled([
      store.put('a', bytes(), 'text/plain'),
      store.delete('a'),
      reading(),
      listing(),
    ]);
  }, 1);
  expect(uncaught.errors).toEqual([]);
});

it.each<[string, string[]]>([
  ['no greeting', ['garbage\r\n']],
  ['a greeting of bytes', ['\0\xff\xfe\r\n\r\n']],
  ['an endless line', ['220 ', 'x'.repeat(2_000_000)]],
  ['many greetings', ['220 a\r\n'.repeat(1_000)]],
  ['a greeting that goes on', ['220-a\r\n'.repeat(1_000)]],
  ['codes that are none', ['999 x\r\n', '-1 x\r\n', '25 x\r\n', 'x250 x\r\n']],
  ['answers to what was not asked', ['220 a\r\n', '250 b\r\n', '354 c\r\n', '250 d\r\n', '221 e\r\n']],
  ['TLS that is none', ['220 a\r\n', '250-a\r\n250 STARTTLS\r\n', '220 go\r\n', 'this is no TLS\r\n']],
  ['an odd sign-in', ['220 a\r\n', '250-a\r\n250 AUTH CRAM-MD5 PLAIN\r\n', '334 \xff!!\r\n', '334 \r\n']],
])('a mail server that answers with %s fails only its mail', async (_, lines) => {
  const server: Server = createServer((socket) => {
    let next = 0;
    const send = () => (next < lines.length ? socket.write(lines[next++] ?? '', 'latin1') : socket.destroy());
    socket.on('error', () => undefined).on('data', send);
    send();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const mailer = createSmtpMailer(`smtp://user:secret@127.0.0.1:${port}`, 'gateway@example.com');
  const message = { to: 'ada@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  await expect(mailer.send(message)).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(uncaught.errors).toEqual([]);
  await new Promise((done) => server.close(done));
});
