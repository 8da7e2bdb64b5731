import { expect } from 'vitest';
import { downloadCalls } from '@/server/api/http/calls-download';
import { downloadStatement } from '@/server/api/http/statement-download';
import { appRouter } from '@/server/api/root';
import { handleTrpc } from '@/server/api/trpc/handler';
import { listAssetsInput } from '@/server/assets/schema';
import { reconcile } from '@/server/money/reconcile/reconcile';
import { type EndpointFuzz, startEndpointFuzz } from './endpoints';

type Place = (text: string) => Promise<{ status: number; text: string }>;

let doors: EndpointFuzz;
/** Starts the gateway of the places below; the caller closes it. */
export async function startStringPlaces(): Promise<EndpointFuzz> {
  doors = await startEndpointFuzz();
  return doors;
}

const ask = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
  doors.harness.request(method, path, { key: doors.key, ...(json === undefined ? {} : { json }), headers });

/** Longer than a statement may run: one that sleeps fails the request. */
const SLEEP_SECONDS = 600;
export const INJECTIONS = [
  `'||(select pg_sleep(${SLEEP_SECONDS}))||'`,
  `1;select pg_sleep(${SLEEP_SECONDS})--`,
  `') or 1=(select 1 from pg_sleep(${SLEEP_SECONDS}))--`,
  `") or pg_sleep(${SLEEP_SECONDS}) is null--`,
  "x'; update api_keys set revoked_at = now(); --",
  "x'); drop table api_keys cascade; --",
  `id desc, (select pg_sleep(${SLEEP_SECONDS}))`,
  "\\'; select 1; --",
  `$$;select pg_sleep(${SLEEP_SECONDS});$$`,
  "' union select key_hash, mask from api_keys --",
];

/** A request that carries the text, for each string that the API accepts. */
const PLACES: Record<string, Place> = {
  'the category of tools': (text) => ask('GET', `/v1/tools?category=${encodeURIComponent(text)}`),
  'a search': (text) => ask('GET', `/v1/tools/search?q=${encodeURIComponent(text)}`),
  'the name of a tool': (text) => ask('GET', `/v1/tools/${encodeURIComponent(text)}`),
  'the skills of a tool': (text) => ask('GET', `/v1/tools/${encodeURIComponent(text)}/skills`),
  'the tool of a call': (text) => ask('POST', '/v1/tools/call', { tool: text, skill: 'echo', input: {} }),
  'the skill of a call': (text) =>
    ask('POST', '/v1/tools/call', { tool: 'diagnostics', skill: text, input: {} }),
  'the input of a call': (text) =>
    ask('POST', '/v1/tools/call', { tool: 'diagnostics', skill: 'echo', input: { message: text } }),
  'the account of a call': (text) =>
    ask('POST', '/v1/tools/call', {
      tool: 'diagnostics',
      skill: 'echo',
      input: { message: 'a' },
      billing: text,
    }),
  'a key of idempotency': (text) =>
    ask(
      'POST',
      '/v1/tools/call',
      { tool: 'diagnostics', skill: 'echo', input: { message: 'a' } },
      { 'idempotency-key': text },
    ),
  'a job': (text) => ask('GET', `/v1/jobs/${encodeURIComponent(text)}`),
  'a job to cancel': (text) => ask('POST', `/v1/jobs/${encodeURIComponent(text)}/cancel`),
  'an asset': (text) => ask('GET', `/v1/assets/${encodeURIComponent(text)}`),
  'the facts of an asset': (text) => ask('GET', `/v1/assets/${encodeURIComponent(text)}/meta`),
  'a hosted file': (text) => ask('GET', `/files/${encodeURIComponent(text)}/${encodeURIComponent(text)}`),
  'a claim': (text) => ask('POST', '/v1/auth/claim', { token: text }),
  'the account of preferences': (text) =>
    ask('GET', `/v1/billing/preferences?billing=${encodeURIComponent(text)}`),
  'the account of a checkout': (text) =>
    ask('POST', '/v1/billing/checkout', { amount_usd: 5, billing: text }),
  'the name of a key': (text) => ask('POST', '/v1/keys', { name: text }),
  'a key': (text) => ask('GET', `/v1/keys/${encodeURIComponent(text)}`),
  'a key to revoke': (text) => ask('DELETE', `/v1/keys/${encodeURIComponent(text)}`),
  'the key of usage': (text) => ask('GET', `/v1/usage?key_id=${encodeURIComponent(text)}`),
  'the period of usage': (text) => ask('GET', `/v1/usage?period=${encodeURIComponent(text)}`),
  'the tool of errors': (text) => ask('GET', `/v1/usage/errors?tool=${encodeURIComponent(text)}`),
  'the code of refusals': (text) => ask('GET', `/v1/usage/refusals?error_code=${encodeURIComponent(text)}`),
  'the cursor of history': (text) => ask('GET', `/v1/usage/history?cursor=${encodeURIComponent(text)}`),
  'a packed cursor of history': (text) =>
    ask('GET', `/v1/usage/history?cursor=${Buffer.from(text).toString('base64url')}`),
  'the key of history': (text) => ask('GET', `/v1/usage/history?key_id=${encodeURIComponent(text)}`),
  'the URL of a webhook': (text) => ask('POST', '/v1/webhooks', { url: text, events: ['job.failed'] }),
  'the note of a webhook': (text) =>
    ask('POST', '/v1/webhooks', {
      url: 'https://example.com/hooks',
      events: ['job.failed'],
      description: text,
    }),
  'a webhook': (text) => ask('GET', `/v1/webhooks/${encodeURIComponent(text)}`),
  'the webhook of a call': (text) =>
    ask('POST', '/v1/tools/call', { tool: 'diagnostics', skill: 'echo', input: {}, webhook: text }),
  'a review': (text) => ask('POST', '/v1/reviews', { tool: 'diagnostics', rating: 5, review: text }),
  'the tool of a review': (text) => ask('POST', '/v1/reviews', { tool: text, rating: 5 }),
  'a provider': (text) =>
    ask('PUT', `/v1/account/requirements/${encodeURIComponent(text)}`, { value: 'sk-0123456789' }),
  'the label of a provider’s key': (text) =>
    ask('PUT', '/v1/account/requirements/openai', { value: 'sk-0123456789', label: text }),
  'the label of a key to remove': (text) =>
    ask('DELETE', `/v1/account/requirements/openai?label=${encodeURIComponent(text)}`),
  'a secret': (text) => doors.harness.request('GET', '/v1/keys', { key: text }),
  'an id of a request': (text) => ask('GET', '/v1/keys', undefined, { 'x-request-id': text }),
  'the name of a program': (text) => ask('GET', '/v1/keys', undefined, { 'user-agent': text }),
};

async function queryProcedure(name: string, input: unknown): Promise<{ status: number; text: string }> {
  const url = `${doors.harness.baseUrl}/api/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`;
  const response = await handleTrpc(
    new Request(url, { headers: { cookie: doors.cookie } }),
    doors.harness.runtime,
  );
  expect(Object.keys(appRouter._def.procedures)).toContain(name);
  return { status: response.status, text: await response.text() };
}

/** Filters, orders and cursors of pages, which the API does not have. */
const PAGE_QUERIES: Record<string, Place> = Object.fromEntries([
  ...(['tool', 'cursor', 'key_id', 'member', 'status', 'skill', 'from', 'billing'] as const).map((field) => [
    `usage.calls by ${field}`,
    (text: string) => queryProcedure('usage.calls', { [field]: text }),
  ]),
  ...Object.keys(listAssetsInput.shape).map((field) => [
    `assets.list by ${field}`,
    (text: string) => queryProcedure('assets.list', { [field]: text }),
  ]),
  ...(['cursor', 'kind', 'from', 'billing'] as const).map((field) => [
    `billing.statement by ${field}`,
    (text: string) => queryProcedure('billing.statement', { [field]: text }),
  ]),
  ...(['cursor', 'billing'] as const).map((field) => [
    `billing.payments by ${field}`,
    (text: string) => queryProcedure('billing.payments', { [field]: text }),
  ]),
  ...(['tool', 'key_id', 'cursor', 'status'] as const).map((field) => [
    `jobs.listOwn by ${field}`,
    (text: string) => queryProcedure('jobs.listOwn', { [field]: text }),
  ]),
  ...(['tool', 'sort', 'cursor'] as const).map((field) => [
    `reviews.ofTool by ${field}`,
    (text: string) => queryProcedure('reviews.ofTool', { tool: 'math', [field]: text }),
  ]),
  ...(['tool', 'member', 'key_id', 'from'] as const).map((field) => [
    `the file of calls by ${field}`,
    (text: string) => download('calls', field, text),
  ]),
  ...(['kind', 'from', 'billing'] as const).map((field) => [
    `the file of the statement by ${field}`,
    (text: string) => download('statement', field, text),
  ]),
]);

async function download(file: 'calls' | 'statement', field: string, text: string) {
  const url = `${doors.harness.baseUrl}/dashboard/x.csv?${field}=${encodeURIComponent(text)}`;
  const answer = file === 'calls' ? downloadCalls : downloadStatement;
  const response = await answer(new Request(url, { headers: { cookie: doors.cookie } }));
  return { status: response.status, text: await response.text() };
}

const LEAK = /syntax error|PostgresError|pg_sleep\(.*\) at|relation "|Failed query/i;

/** All places that accept a string, by what they are. */
export const STRING_PLACES = Object.entries({ ...PLACES, ...PAGE_QUERIES });

/** Requires that a place takes the text as a string, whatever SQL it contains. */
export async function expectOnlyString(place: Place, text: string): Promise<void> {
  const { status, text: answered } = await place(text);
  expect([status < 500, LEAK.test(answered)], `${text}: ${status} ${answered}`).toEqual([true, false]);
}

/** Requires that the key works, every table exists and the ledger is consistent. */
export async function expectUnchanged(): Promise<void> {
  const { runtime, log } = doors.harness;
  expect((await ask('GET', '/v1/billing/balance')).status).toBe(200);
  const [revoked] = await runtime.sql`select count(*)::int as n from api_keys where revoked_at is not null`;
  expect(revoked?.n).toBe(0);
  expect((await reconcile(runtime)).differences).toEqual([]);
  expect(log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
}
