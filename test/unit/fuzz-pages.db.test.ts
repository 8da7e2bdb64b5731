import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { downloadCalls } from '@/server/api/http/calls-download';
import { downloadDocuments, downloadDocumentsZip } from '@/server/api/http/documents-download';
import { handlePaymentWebhook } from '@/server/api/http/payment-webhook';
import { downloadRefusals } from '@/server/api/http/refusals-download';
import { downloadStatement } from '@/server/api/http/statement-download';
import { handleTrpc } from '@/server/api/trpc/handler';
import { runInPlayground } from '@/server/api/trpc/playground-run';
import { reconcile } from '@/server/money/reconcile/reconcile';
import {
  type EndpointFuzz,
  expectHarmless,
  FUZZ_RUNS,
  FUZZ_TIMEOUT_MS,
  fuzz,
  startEndpointFuzz,
} from '../support/fuzz/endpoints';
import { hostileJson, hostileQuery, hostileSegment, hostileText, writeJson } from '../support/fuzz/hostile';
import { expectGarbageRefused, FUZZED_PROCEDURES } from '../support/fuzz/procedures';
import type { Harness } from '../support/harness';

// Fuzzes the endpoints of the pages and the payment webhook: no 5xx and no internals.

let doors: EndpointFuzz;
let harness: Harness;
let cookie: string;
beforeAll(async () => {
  doors = await startEndpointFuzz();
  ({ harness, cookie } = doors);
});
afterAll(() => doors.close());

describe('tRPC', () => {
  // The deep suite sends more.
  it.each(FUZZED_PROCEDURES)(
    '%s rejects garbage with a tRPC error @D10 @D14',
    (...procedure) => expectGarbageRefused(doors, procedure, Math.ceil(FUZZ_RUNS / 60)),
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
          ['/dashboard/usage/refused.csv', downloadRefusals],
          ['/dashboard/billing/documents.csv', downloadDocuments],
          ['/dashboard/billing/documents.zip', downloadDocumentsZip],
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
    'the webhook of the payment provider: any body under any signature @D14',
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
