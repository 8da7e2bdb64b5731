import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAuthAdapter } from '@/server/identity/sessions/adapter';
import { sessionCookieName } from '@/server/identity/sessions/session-token';
import { findFaults } from '../support/fuzz/check-response';
import { type Operation, ServedDocument } from '../support/fuzz/document';
import { type Received, type SentRequest, send } from '../support/fuzz/send';
import { type Harness, startHarness } from '../support/harness';
import { paymentHeader, requestTopup, sandboxProof } from '../support/payment-client';

// Produces every documented success of every operation and checks it against its schema.

interface Person {
  accountId: string;
  userId: string;
  key: string;
  keyId: string;
}

let harness: Harness;
let document: ServedDocument;
let person: Person;
let assetId: string;
let jobId: string;
beforeAll(async () => {
  harness = await startHarness({
    listen: true,
    fakeStripe: true,
    env: { MACHINE_PAYMENTS_SANDBOX: '1', PROVISION_PER_HOUR: '1000', PROVISION_PER_DAY: '1000' },
  });
  document = new ServedDocument((await harness.request('GET', '/openapi.json')).body);
  person = await harness.person(100_000_000n);
  assetId = JSON.parse((await upload()).text).asset_id;
  jobId = (await call('sleep', { seconds: 1 }, { Prefer: 'wait=0' })).body.job_id;
});
afterAll(() => harness.close());

type Body = Record<string, unknown>;
type Seen = { operation: string; sent: SentRequest; answer: Received };

async function sendRequest(
  operation: string,
  {
    path,
    json,
    headers = {},
    raw,
  }: {
    path?: string | undefined;
    json?: Body | undefined;
    headers?: Record<string, string>;
    raw?: Buffer;
  } = {},
): Promise<Seen> {
  const [method = '', template = ''] = operation.split(' ');
  const sent: SentRequest = {
    method,
    target: path ?? template,
    headers: Object.entries({
      ...(headers.Authorization === undefined && headers.Cookie === undefined
        ? { Authorization: `Bearer ${person.key}` }
        : {}),
      ...(json ? { 'Content-Type': 'application/json' } : {}),
      ...headers,
    }),
    body: raw ?? (json ? Buffer.from(JSON.stringify(json)) : null),
  };
  return { operation, sent, answer: await send(harness.baseUrl, sent) };
}

function upload(): Promise<Received> {
  return sendRequest('POST /v1/assets/upload', uploaded()).then(({ answer }) => answer);
}

function uploaded() {
  const raw = Buffer.from(
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhello\r\n--x--\r\n',
  );
  return { raw, headers: { 'Content-Type': 'multipart/form-data; boundary=x' } };
}

async function call(skill: string, input: Body, headers: Record<string, string> = {}) {
  const json = { tool: 'diagnostics', skill, input };
  const seen = await sendRequest('POST /v1/tools/call', { json, headers });
  return { ...seen, body: JSON.parse(seen.answer.text) };
}

/** Sends a request twice, the second time with the ETag of the first response. */
async function sendTwice(operation: string, path?: string): Promise<Seen[]> {
  const first = await sendRequest(operation, { path });
  const headers = { 'If-None-Match': String(first.answer.headers.etag) };
  return [first, await sendRequest(operation, { path, headers })];
}

async function provisioned() {
  const seen = await sendRequest('POST /v1/auth/provision', { headers: { Authorization: '' } });
  return { seen, body: JSON.parse(seen.answer.text) };
}

async function paidTopup(): Promise<Seen> {
  const { sandbox } = await requestTopup(harness, person.key);
  const { authorization } = paymentHeader(sandbox, sandboxProof(sandbox));
  return sendRequest('POST /v1/billing/machine-topup', {
    json: { amount_usd: 5 },
    headers: { Authorization: authorization },
  });
}

/** Requests that produce every documented success; each returns its responses. */
const SCENARIOS: Record<string, () => Promise<Seen[]>> = {
  'GET /v1/tools': () => sendTwice('GET /v1/tools'),
  'GET /v1/tools/search': () => sendTwice('GET /v1/tools/search', '/v1/tools/search?q=resize%20a%20picture'),
  'GET /v1/tools/{tool}': () => sendTwice('GET /v1/tools/{tool}', '/v1/tools/math'),
  'GET /v1/tools/{tool}/skills': () => sendTwice('GET /v1/tools/{tool}/skills', '/v1/tools/math/skills'),
  'POST /v1/tools/call': async () => [
    await call('echo', { message: 'hi' }),
    await sendRequest('POST /v1/tools/call', {
      json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.01 }, dry_run: true },
    }),
    await sendRequest('POST /v1/tools/call', {
      json: { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } },
      headers: { Accept: 'text/event-stream' },
    }),
    await call('sleep', { seconds: 1 }, { Prefer: 'wait=0' }),
  ],
  'POST /v1/tools/batch': async () => {
    const calls = [
      { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } },
      { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.01 } },
      { tool: 'nope', skill: 'nope', input: {} },
      { tool: 'diagnostics', skill: 'flaky', input: { mode: 'throw' } },
    ];
    return [await sendRequest('POST /v1/tools/batch', { json: { calls } })];
  },
  'GET /v1/jobs/{jobId}': async () => {
    const path = `/v1/jobs/${jobId}`;
    const now = await sendRequest('GET /v1/jobs/{jobId}', { path, headers: { Prefer: 'wait=0' } });
    return [now, await sendRequest('GET /v1/jobs/{jobId}', { path })];
  },
  'GET /v1/jobs/{jobId}/events': async () => {
    const request = { path: `/v1/jobs/${jobId}/events` };
    const headers = { 'Last-Event-ID': 'end' };
    return [
      await sendRequest('GET /v1/jobs/{jobId}/events', request),
      await sendRequest('GET /v1/jobs/{jobId}/events', { ...request, headers }),
    ];
  },
  'POST /v1/jobs/{jobId}/cancel': async () => {
    const running = await call('sleep', { seconds: 20 }, { Prefer: 'wait=0' });
    return [
      await sendRequest('POST /v1/jobs/{jobId}/cancel', { path: `/v1/jobs/${running.body.job_id}/cancel` }),
    ];
  },
  'POST /v1/assets/upload': async () => [await sendRequest('POST /v1/assets/upload', uploaded())],
  'GET /v1/assets/{assetId}': async () => {
    const path = `/v1/assets/${assetId}`;
    const range = await sendRequest('GET /v1/assets/{assetId}', { path, headers: { Range: 'bytes=1-2' } });
    return [...(await sendTwice('GET /v1/assets/{assetId}', path)), range];
  },
  'GET /v1/assets/{assetId}/meta': async () => [
    await sendRequest('GET /v1/assets/{assetId}/meta', { path: `/v1/assets/${assetId}/meta` }),
  ],
  'POST /v1/auth/provision': async () => [(await provisioned()).seen],
  'POST /v1/auth/claim': async () => {
    const token = new URL((await provisioned()).body.claim_url).searchParams.get('token');
    return [await sendRequest('POST /v1/auth/claim', { json: { token } })];
  },
  'GET /v1/billing/balance': async () => [await sendRequest('GET /v1/billing/balance')],
  'POST /v1/billing/checkout': async () => [
    await sendRequest('POST /v1/billing/checkout', { json: { amount_usd: 10 } }),
  ],
  'POST /v1/billing/portal': async () => [await sendRequest('POST /v1/billing/portal')],
  'GET /v1/billing/preferences': async () => [await sendRequest('GET /v1/billing/preferences')],
  'PUT /v1/billing/preferences': async () => [
    await sendRequest('PUT /v1/billing/preferences', {
      json: { budgetLimit: 1_000, autoReloadThreshold: 5 },
    }),
    await sendRequest('PUT /v1/billing/preferences', { json: { budgetLimit: null } }),
  ],
  'POST /v1/billing/machine-topup': async () => [await paidTopup()],
  'POST /v1/billing/invoices': async () => {
    await paidTopup();
    const [payment] = await harness.runtime.sql`select id from payments limit 1`;
    return [await sendRequest('POST /v1/billing/invoices', { json: { payment_id: payment?.id } })];
  },
  'POST /v1/keys': async () => [
    await sendRequest('POST /v1/keys'),
    await sendRequest('POST /v1/keys', { json: { name: 'limited', credits: 1 } }),
  ],
  'GET /v1/keys': async () => [await sendRequest('GET /v1/keys')],
  'GET /v1/keys/{id}': async () => [
    await sendRequest('GET /v1/keys/{id}', { path: `/v1/keys/${person.keyId}` }),
  ],
  'DELETE /v1/keys/{id}': async () => {
    const { keyId } = await harness.addKey(person.accountId);
    return [await sendRequest('DELETE /v1/keys/{id}', { path: `/v1/keys/${keyId}` })];
  },
  'POST /v1/keys/{id}/credits': async () => {
    const { keyId } = await harness.addKey(person.accountId, 1_000_000n);
    const path = `/v1/keys/${keyId}/credits`;
    return [await sendRequest('POST /v1/keys/{id}/credits', { path, json: { amount: 1.5 } })];
  },
  'PATCH /v1/keys/{id}': async () => {
    const { keyId } = await harness.addKey(person.accountId);
    const json = { tags: ['nightly'], spend_limit: { amount_usd: 1, period: 'day' } };
    return [await sendRequest('PATCH /v1/keys/{id}', { path: `/v1/keys/${keyId}`, json })];
  },
  'POST /v1/keys/{id}/rotate': async () => {
    const { keyId } = await harness.addKey(person.accountId);
    const request = { path: `/v1/keys/${keyId}/rotate`, json: { grace_seconds: 60 } };
    return [await sendRequest('POST /v1/keys/{id}/rotate', request)];
  },
  '/v1/webhooks': async () => {
    const json = { url: 'https://example.com/hooks', events: ['job.completed'] };
    const created = await sendRequest('POST /v1/webhooks', { json });
    const endpoint = `/v1/webhooks/${JSON.parse(created.answer.text).id}`;
    const act = (method: string, action: string, body?: Body) =>
      sendRequest(`${method} /v1/webhooks/{id}${action}`, { path: `${endpoint}${action}`, json: body });
    const tested = await act('POST', '/test', {});
    const delivery = `${endpoint}/deliveries/${JSON.parse(tested.answer.text).id}`;
    const one = '/v1/webhooks/{id}/deliveries/{delivery_id}';
    return [
      created,
      await sendRequest('GET /v1/webhooks'),
      await sendRequest('GET /v1/webhooks/secret'),
      await act('GET', ''),
      await act('PATCH', '', { description: 'builds' }),
      await act('POST', '/rotate-secret', { overlap_hours: 1 }),
      tested,
      await act('GET', '/deliveries'),
      await sendRequest(`GET ${one}`, { path: delivery }),
      await sendRequest(`POST ${one}/replay`, { path: `${delivery}/replay`, json: {} }),
      await act('POST', '/replay-failed', {}),
      await act('DELETE', ''),
    ];
  },
  'GET /v1/usage': async () =>
    Promise.all(
      ['day', 'week', 'month', 'all'].map((period) =>
        sendRequest('GET /v1/usage', { path: `/v1/usage?period=${period}` }),
      ),
    ),
  'GET /v1/usage/errors': async () => [await sendRequest('GET /v1/usage/errors')],
  'GET /v1/usage/refusals': async () => [await sendRequest('GET /v1/usage/refusals')],
  'GET /v1/usage/history': async () => [
    await sendRequest('GET /v1/usage/history', { path: '/v1/usage/history?limit=1' }),
    await sendRequest('GET /v1/usage/history'),
  ],
  'GET /v1/usage/{call_id}/receipt': async () => {
    const { body } = await call('spend', { amount_usd: 0.01 }, { Prefer: 'receipt' });
    const path = `/v1/usage/${body.id}/receipt`;
    return [await sendRequest('GET /v1/usage/{call_id}/receipt', { path })];
  },
  'GET /v1/usage/calls/{call_id}': async () => {
    const [success, failure] = [
      await call('spend', { amount_usd: 0.01 }),
      await call('fail', { mode: 'throw' }),
    ];
    const ids = [success.body.id, failure.body.error.call_id];
    return Promise.all(
      ids.map((id) => sendRequest('GET /v1/usage/calls/{call_id}', { path: `/v1/usage/calls/${id}` })),
    );
  },
  'GET /.well-known/jwks.json': () => sendTwice('GET /.well-known/jwks.json'),
  'GET /v1/me': async () => [await sendRequest('GET /v1/me')],
  'GET /v1/jobs': async () => [
    await sendRequest('GET /v1/jobs'),
    await sendRequest('GET /v1/jobs', { path: '/v1/jobs?limit=1' }),
  ],
  'GET /v1/assets': async () => [await sendRequest('GET /v1/assets')],
  'DELETE /v1/assets/{assetId}': async () => {
    const { asset_id } = JSON.parse((await upload()).text);
    return [await sendRequest('DELETE /v1/assets/{assetId}', { path: `/v1/assets/${asset_id}` })];
  },
  'POST /v1/reviews': async () => [
    await sendRequest('POST /v1/reviews', { json: { tool: 'diagnostics', rating: 5 } }),
    await sendRequest('POST /v1/reviews', { json: { tool: 'diagnostics', rating: 4, review: 'good' } }),
  ],
  'GET /v1/requirements': () => sendTwice('GET /v1/requirements'),
  'PUT /v1/account/requirements/{name}': async () => {
    const path = '/v1/account/requirements/openai';
    const json = { value: 'sk-test-0123456789', label: 'mine' };
    return [await sendRequest('PUT /v1/account/requirements/{name}', { path, json })];
  },
  'GET /v1/account/requirements': async () => [await sendRequest('GET /v1/account/requirements')],
  'DELETE /v1/account/requirements/{name}': async () => [
    await sendRequest('DELETE /v1/account/requirements/{name}', {
      path: '/v1/account/requirements/openai?label=mine',
    }),
  ],
};

const seen = new Set<string>();
const findOperation = (id: string): Operation => {
  const found = document.operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`The document has no ${id}`);
  return found;
};

it.each(Object.keys(SCENARIOS))('%s responds as documented @D9 @E20', async (id) => {
  const answers = (await SCENARIOS[id]?.()) ?? [];
  for (const { operation, sent, answer } of answers) {
    expect(findFaults(document, findOperation(operation), sent, answer), answer.text).toEqual([]);
    seen.add(`${operation} ${answer.status}`);
  }
});

it('POST /v1/auth/claim by a signed-in browser responds as documented', async () => {
  const sessionToken = `token of ${person.userId}`;
  const expires = new Date(Date.now() + 3_600_000);
  await createAuthAdapter(harness.runtime).createSession?.({ sessionToken, userId: person.userId, expires });
  const token = new URL((await provisioned()).body.claim_url).searchParams.get('token');
  const headers = {
    Cookie: `${sessionCookieName(harness.baseUrl)}=${sessionToken}`,
    Origin: harness.baseUrl,
  };
  const { sent, answer } = await sendRequest('POST /v1/auth/claim', { json: { token }, headers });
  expect(answer.status).toBe(200);
  expect(findFaults(document, findOperation('POST /v1/auth/claim'), sent, answer)).toEqual([]);
});

it('every documented success is covered @E20', () => {
  const promised = document.operations.flatMap(({ id, statuses }) =>
    [...statuses].filter((status) => status < 400).map((status) => `${id} ${status}`),
  );
  expect(promised.filter((each) => !seen.has(each))).toEqual([]);
  expect(promised.length).toBeGreaterThan(35);
});
