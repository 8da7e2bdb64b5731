import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { downloadCalls } from '../api/http/calls-download';
import { handlePaymentWebhook } from '../api/http/payment-webhook';
import { downloadStatement } from '../api/http/statement-download';
import { handleTrpc } from '../api/trpc/handler';
import { runInPlayground } from '../api/trpc/playground-run';
import { reconcile } from '../money/reconcile/reconcile';
import {
  type EndpointFuzz,
  expectHarmless,
  FUZZ_RUNS,
  FUZZ_TIMEOUT_MS,
  fuzz,
  startEndpointFuzz,
} from './fuzz/endpoints';
import { hostileJson, hostileQuery, hostileSegment, hostileText, writeJson } from './fuzz/hostile';
import type { Harness } from './harness';
import { listProcedures } from './list-procedures';

// Fuzzes the endpoints of the pages and the payment webhook: no 5xx and no internals.

let doors: EndpointFuzz;
let harness: Harness;
let cookie: string;
beforeAll(async () => {
  doors = await startEndpointFuzz();
  ({ harness, cookie } = doors);
});
afterAll(() => doors.close());

const procedures = listProcedures().map(({ name, type }) => [name, type] as const);

/** These end the session or delete the account. */
const ENDING = /^auth\.(deleteAccount|signOut|endSession|endOtherSessions)/;

function toProcedure(name: string, type: string, text: string): Request {
  const headers = { cookie, origin: harness.baseUrl, 'content-type': 'application/json' };
  const url = `${harness.baseUrl}/api/trpc/${name}`;
  return type === 'query'
    ? new Request(`${url}?input=${encodeURIComponent(Buffer.from(text).toString())}`, { headers })
    : new Request(url, { method: 'POST', headers, body: text });
}

describe('tRPC', () => {
  it.each(procedures.filter(([name]) => !ENDING.test(name)))(
    '%s rejects garbage with a tRPC error',
    async (name, type) => {
      const field = fc.constantFrom(
        'billing',
        'cursor',
        'id',
        'tool',
        'from',
        'to',
        'limit',
        'name',
        'jobId',
        'payment_id',
      );
      const input = fc.oneof(
        hostileJson,
        fc.dictionary(field, fc.oneof(hostileText, hostileJson), { maxKeys: 5 }),
      );
      await fuzz(
        input,
        async (value) => {
          const response = await handleTrpc(toProcedure(name, type, writeJson(value)), harness.runtime);
          const text = await response.text();
          expectHarmless(harness, response.status, text, [501, 502]);
          const body = JSON.parse(text);
          if (response.status >= 400)
            expect(body.error.data.gateway).toMatchObject({
              code: expect.any(String),
              resolution_hint: expect.any(String),
            });
        },
        Math.ceil(FUZZ_RUNS / 6),
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'invalid paths, batches and bodies',
    async () => {
      const path = fc.oneof(
        hostileSegment,
        fc.constantFrom('keys.list,keys.list', 'keys', 'keys.list.a', ''),
      );
      const body = fc.oneof(hostileText, hostileJson.map(writeJson), fc.constant('{'));
      await fuzz(fc.tuple(path, hostileQuery, body, fc.boolean()), async ([name, query, text, post]) => {
        const headers = { cookie, origin: harness.baseUrl, 'content-type': 'application/json' };
        const url = `${harness.baseUrl}/api/trpc/${name}?batch=1&${query}`;
        const request = new Request(url, post ? { method: 'POST', headers, body: text } : { headers });
        const response = await handleTrpc(request, harness.runtime);
        expectHarmless(harness, response.status, await response.text());
      });
    },
    FUZZ_TIMEOUT_MS,
  );
});

describe('routes of pages', () => {
  it(
    'CSV downloads: any query',
    async () => {
      const fields = fc.constantFrom(
        'billing',
        'from',
        'to',
        'kind',
        'tool',
        'status',
        'key_id',
        'member',
        'skill',
        'byok',
        'cursor',
        'sort',
      );
      const queries = fc.oneof(
        hostileQuery,
        fc
          .array(fc.tuple(fields, hostileSegment), { maxLength: 4 })
          .map((pairs) => pairs.map((pair) => pair.join('=')).join('&')),
      );
      await fuzz(queries, async (query) => {
        for (const [path, download] of [
          ['/dashboard/usage/calls.csv', downloadCalls],
          ['/dashboard/billing/statement.csv', downloadStatement],
        ] as const) {
          const response = await download(
            new Request(`${harness.baseUrl}${path}?${query}`, { headers: { cookie } }),
          );
          expectHarmless(harness, response.status, await response.text());
          expect(response.headers.get('cache-control')).toBe('no-store');
        }
      });
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'the webhook of the payment provider: any body under any signature',
    async () => {
      await fuzz(
        fc.tuple(fc.oneof(hostileText, hostileJson.map(writeJson)), fc.string()),
        async ([body, signature]) => {
          const headers = { 'stripe-signature': Buffer.from(signature).toString('base64') };
          const request = new Request(`${harness.baseUrl}/api/stripe/webhook`, {
            method: 'POST',
            headers,
            body,
          });
          const response = await handlePaymentWebhook(request, harness.runtime);
          expect(response.status).toBe(400);
          expectHarmless(harness, response.status, await response.text());
        },
      );
    },
    FUZZ_TIMEOUT_MS,
  );

  it(
    'the playground: any call',
    async () => {
      const call = fc.oneof(
        hostileJson,
        fc.record({
          tool: fc.oneof(fc.constantFrom('math', 'text', 'diagnostics'), hostileText),
          skill: fc.oneof(fc.constantFrom('evaluate', 'echo'), hostileText),
          input: hostileJson,
        }),
      );
      await fuzz(call, async (value) => {
        const headers = { cookie, origin: harness.baseUrl, 'content-type': 'application/json' };
        const url = `${harness.baseUrl}/dashboard/playground/run`;
        const request = new Request(url, { method: 'POST', headers, body: writeJson(value) });
        const response = await runInPlayground(request, harness.runtime);
        expectHarmless(harness, response.status, await response.text(), [502]);
      });
    },
    FUZZ_TIMEOUT_MS,
  );
});

it('logs no error, and reconciliation finds no differences', async () => {
  expect(harness.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});
