import { vi } from 'vitest';
import { type RawAnswer, startRawSite } from '@/test/support/raw-site';
import { createStripePayments } from '../stripe-payments';
import { createVercelBlobStore } from '../vercel-blob';
import { HOSTILE_ANSWERS } from './hostile-responses';

const STRIPE = { mode: 'test', secretKey: 'sk_test_x', webhookSecret: null } as const;
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

/** A 200 response with this body and Content-Type application/json. */
export const json =
  (body: string): RawAnswer =>
  (socket) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
    socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
  };

/** Stripe's SDK waits forever for this response. */
export const SWITCHES = '/101';

/** Hostile responses of a payment provider or a blob store, by name. */
export const PORT_ANSWERS: ReadonlyMap<string, RawAnswer> = new Map([
  ...Object.entries(HOSTILE_ANSWERS),
  ...['null', '5', '"x"', '[]', '{', '', '{"id":{},"object":5}', '{"url":5,"blobs":{}}', deep].map(
    (body, index): [string, RawAnswer] => [`JSON ${index}`, json(body)],
  ),
  ['deep data', json(`{"data":${deep},"blobs":${deep},"object":"list","has_more":false}`)],
]);

/** The responses of the quick suite; each breaks another part of a client. */
export const FEW_ANSWERS = [
  '/gzip-six-times',
  '/chunked-wrong-and-reset',
  '/length-too-large',
  '/nul-in-a-header',
  '/status-1000',
  'JSON 0',
  'JSON 6',
  'deep data',
];

/**
 * Runs `call` once per response, which answers all its requests; each run only has to end.
 */
async function runWithEach(
  names: Iterable<string>,
  atOnce: number,
  call: (origin: string) => Promise<unknown>,
): Promise<void> {
  const left = [...names];
  const runNext = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const answer = PORT_ANSWERS.get(name);
      if (!answer) throw new Error(`Unknown response ${name}`);
      const site = await startRawSite(answer);
      await call(site.origin).catch(() => undefined);
      await site.close();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runNext));
  await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Creates the Stripe port for an API base URL. */
export function createPaymentsAt(apiBase: string, limitMs?: number) {
  return createStripePayments({ ...STRIPE, apiBase, limitMs });
}

/** Sends several requests to a payment provider, once per hostile response. */
export async function callPayments(names: readonly string[]): Promise<void> {
  await runWithEach(names, names.length, async (origin) => {
    const payments = createPaymentsAt(origin);
    await Promise.allSettled([
      payments.createCustomer({ accountId: 'acct', email: 'a@example.com', name: 'x' }),
      payments.findCheckout('cs_1'),
      payments.findPayment('pi_1'),
      payments.findSavedCard('cus_1'),
    ]);
  });
}

/** Sends several requests to a blob store, once per hostile response. */
export async function callBlobStore(names: readonly string[]): Promise<void> {
  vi.stubEnv('VERCEL_BLOB_RETRIES', '0');
  const bytes = async function* () {
    yield Buffer.from('hello');
  };
  try {
    await runWithEach(names, 1, async (origin) => {
      // One run at a time: the SDK reads the variable at each request.
      vi.stubEnv('VERCEL_BLOB_API_URL', origin);
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
    });
  } finally {
    vi.unstubAllEnvs();
  }
}
