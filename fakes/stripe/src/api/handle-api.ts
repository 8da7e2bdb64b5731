import { createHash, timingSafeEqual } from 'node:crypto';
import { API_VERSION, newStripeId } from '../resources/objects';
import type { DeclinedResponse } from '../resources/payment-intents';
import { findCardById, findTestCard } from '../resources/test-cards';
import { releaseRecord } from '../state/idempotency-store';
import type { StateDatabase, Transaction } from '../state/transactions';
import { ConnectionCut, invalidRequest, StripeApiError } from './errors';
import { expand } from './expand';
import { type Params, parseForm } from './form';
import { acquireKey } from './idempotency';
import { ROUTES, type Route } from './routes';

interface ApiRequest {
  method: string;
  path: string;
  /** Form-encoded parameters: the body of a POST, otherwise the query. */
  form: string;
  headers: Headers;
  requestId: string;
}

interface ApiResponse {
  status: number;
  body: string;
  replayed?: boolean;
}

const MAX_KEY_LENGTH = 255;

/** Handles a request to `/v1/…`. @throws ConnectionCut if the test card drops the connection */
export async function handleApi(
  database: StateDatabase,
  secretKey: string,
  request: Request,
  path: string,
): Promise<Response> {
  const apiRequest: ApiRequest = {
    method: request.method,
    path,
    form: request.method === 'POST' ? await request.text() : new URL(request.url).search.slice(1),
    headers: request.headers,
    requestId: newStripeId('req', 14),
  };
  let response: ApiResponse;
  try {
    checkApiKey(secretKey, request.headers.get('authorization'));
    response = await handleRequest(database, apiRequest);
  } catch (error) {
    if (!(error instanceof StripeApiError)) throw error;
    response = { status: error.status, body: JSON.stringify({ error: error.error }) };
  }
  return respond(apiRequest, response);
}

function respond({ headers, requestId }: ApiRequest, { status, body, replayed }: ApiResponse): Response {
  const key = headers.get('idempotency-key');
  return new Response(body, {
    status,
    headers: {
      'Cache-Control': 'no-cache, no-store',
      'Content-Type': 'application/json',
      'Request-Id': requestId,
      'Stripe-Version': headers.get('stripe-version') ?? API_VERSION,
      ...(key && { 'Idempotency-Key': key }),
      ...(replayed && { 'Idempotent-Replayed': 'true' }),
    },
  });
}

/** The key comes as `Bearer <key>`, or as the user name of Basic authentication. */
function checkApiKey(secretKey: string, authorization: string | null): void {
  const [scheme, value = ''] = (authorization ?? '').split(' ');
  const sent =
    scheme?.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString().replace(/:.*$/s, '') : value;
  if (!sent)
    throw new StripeApiError(401, {
      type: 'invalid_request_error',
      message: 'You did not provide an API key.',
    });
  if (timingSafeEqual(hashText(sent), hashText(secretKey))) return;
  throw new StripeApiError(401, {
    type: 'invalid_request_error',
    message: `Invalid API Key provided: ${sent.slice(0, 8)}****`,
  });
}

function hashText(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function handleRequest(database: StateDatabase, apiRequest: ApiRequest): Promise<ApiResponse> {
  const found = findRoute(apiRequest);
  if (!found)
    throw new StripeApiError(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${apiRequest.method}: ${apiRequest.path}).`,
    });
  const { route, id, innerId } = found;
  const params = parseForm(apiRequest.form);
  if ('get' in route)
    return await database.read(async (state) => {
      const body = await route.get(state, params, id, innerId);
      return { status: 200, body: JSON.stringify(await expand(state.store, body, params.list('expand'))) };
    });
  const handler = 'post' in route ? route.post : route.delete;
  return await handleWrite(database, apiRequest, params, (tx) => handler(tx, params, id, innerId));
}

function findRoute({ method, path }: ApiRequest): { route: Route; id: string; innerId: string } | null {
  for (const route of ROUTES) {
    if (!(method.toLowerCase() in route)) continue;
    const pattern = new RegExp(`^${route.path.replaceAll(':id', '([^/]+)')}$`);
    const match = pattern.exec(path);
    if (match)
      return { route, id: decodeURIComponent(match[1] ?? ''), innerId: decodeURIComponent(match[2] ?? '') };
  }
  return null;
}

async function handleWrite(
  database: StateDatabase,
  apiRequest: ApiRequest,
  params: Params,
  handler: (tx: Transaction) => Promise<object>,
): Promise<ApiResponse> {
  const key = apiRequest.method === 'POST' ? apiRequest.headers.get('idempotency-key') : null;
  if (key && key.length > MAX_KEY_LENGTH)
    throw invalidRequest('Idempotency keys must be at most 255 characters.', 'idempotency_key_too_long');
  const sql = await database.open();
  if (key) {
    const stored = await acquireKey(
      sql,
      key,
      `${apiRequest.method} ${apiRequest.path} ${apiRequest.form}`,
      apiRequest.requestId,
    );
    if (stored) return { ...stored, replayed: true };
  }
  try {
    if (await usesSlowCard(database, params)) await database.pauseForSlowCard();
    const { result, cut } = await database.write(
      async (tx): Promise<ApiResponse> => {
        const done = await handler(tx).catch(toDeclinedResponse);
        if (isDeclined(done)) return { status: done.status, body: JSON.stringify(done.body) };
        return { status: 200, body: JSON.stringify(await expand(tx.store, done, params.list('expand'))) };
      },
      { id: apiRequest.requestId, idempotencyKey: key },
      key === null ? undefined : (response) => response,
    );
    if (cut) throw new ConnectionCut();
    return result;
  } catch (error) {
    // Nothing was committed, so the key is free again. A response that is stored stays.
    if (key) await releaseRecord(sql, apiRequest.requestId);
    throw error;
  }
}

function isDeclined(done: object): done is DeclinedResponse {
  return 'status' in done && done.status === 402;
}

/** A decline is a result to commit and store; any other error rolls the transaction back. */
function toDeclinedResponse(error: unknown): DeclinedResponse {
  if (error instanceof StripeApiError && error.status === 402)
    return { status: 402, body: { error: error.error } };
  throw error;
}

/** Whether the request names the slow test card. */
async function usesSlowCard(database: StateDatabase, params: Params): Promise<boolean> {
  const id = params.text('payment_method');
  if (!id) return false;
  const card = findCardById(id);
  if (card) return card.fault === 'slow';
  const method = await database.read(({ store }) => store.find('payment_method', id));
  return findTestCard(method?.hidden.number ?? '')?.fault === 'slow';
}
