import { expect, it } from 'vitest';
import { openApiJson } from '@/server/api/openapi/openapi';
import { findFaults } from './check-response';
import { ServedDocument } from './document';
import type { Received } from './send';

const document = new ServedDocument(JSON.parse(openApiJson()));
const operation = document.operations.find(({ id }) => id === 'GET /v1/billing/balance');
if (!operation) throw new Error('The document has no operation GET /v1/billing/balance');

const HEADERS = { 'x-request-id': 'req_1', 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' };
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };
const balance = { available_usd: 1, plan: 'prepaid', accounts: [], top_up_hint: 'h' };
const refusal = (code: string, type: string, more: object = {}) => ({
  status: 'error',
  error: { code, type, message: 'm', resolution_hint: 'h', request_id: 'req_1', ...more },
});

function getFaults(status: number, body: unknown, headers: Record<string, string> = {}): string[] {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer: Received = { status, text, headers: { ...HEADERS, ...JSON_TYPE, ...headers } };
  return findFaults(
    document,
    operation as never,
    { method: 'GET', target: '/', headers: [], body: null },
    answer,
  );
}

it('finds no faults in valid responses', () => {
  expect(getFaults(200, balance)).toEqual([]);
  const challenge = { 'www-authenticate': 'Bearer realm="gateway"' };
  expect(getFaults(401, refusal('AUTH_REQUIRED', 'auth'), challenge)).toEqual([]);
});

it.each<[string, number, unknown, Record<string, string>?]>([
  ['a missing field', 200, { ...balance, plan: undefined }],
  ['a field of another type', 200, { ...balance, available_usd: '1' }],
  ['a value outside the enum', 200, { ...balance, plan: 'gold' }],
  ['an undocumented status', 409, refusal('CLAIM_CONFLICT', 'validation')],
  ['a failure', 500, refusal('INTERNAL', 'server')],
  ['a missing challenge', 401, refusal('AUTH_REQUIRED', 'auth')],
  ['an unknown error code', 403, refusal('NOPE', 'auth')],
  ['a code of another status', 403, refusal('NOT_FOUND', 'not_found')],
  ['a type of another code', 403, refusal('FORBIDDEN', 'billing')],
  ['a missing hint', 403, refusal('FORBIDDEN', 'auth', { resolution_hint: undefined })],
  ['a page instead of JSON', 403, '<html>', { 'content-type': 'text/html' }],
  ['a cacheable response', 200, balance, { 'cache-control': 'public' }],
  ['a stack trace', 403, refusal('FORBIDDEN', 'auth', { message: 'no\n    at f (server/a.ts:1:2)' })],
  ['SQL', 403, refusal('FORBIDDEN', 'auth', { message: 'select "id" from "api_keys"' })],
  ['the URL of the database', 403, refusal('FORBIDDEN', 'auth', { message: 'postgres://a@b/c' })],
  ['a dump of the validator', 403, refusal('FORBIDDEN', 'auth', { issues: [] })],
])('finds %s @D10', (_, status, body, headers) => {
  expect(getFaults(status, body, headers)).not.toEqual([]);
});
