import { createHash, timingSafeEqual } from 'node:crypto';
import { ConnectionCut, invalidRequest, StripeRefusal } from './errors';
import { expand } from './expand';
import { type Params, parseForm } from './form';
import { takeKey } from './idempotency';
import { API_VERSION, newStripeId } from './objects';
import type { Refused } from './payment-intents';
import { releaseRequest } from './request-store';
import { ROUTES, type Route } from './routes';
import { findMagicCard, findTestCard } from './test-cards';
import type { StandinDatabase } from './work';

interface Call {
  method: string;
  path: string;
  /** Of the query, or of the body. */
  form: string;
  headers: Headers;
  requestId: string;
}

interface Answer {
  status: number;
  body: string;
  replayed?: boolean;
}

const MAX_KEY = 255;

/** Answers a request to the API. @throws ConnectionCut where the answer is to be lost */
export async function answerApi(
  database: StandinDatabase,
  secretKey: string,
  request: Request,
  path: string,
): Promise<Response> {
  const call: Call = {
    method: request.method,
    path,
    form: request.method === 'POST' ? await request.text() : new URL(request.url).search.slice(1),
    headers: request.headers,
    requestId: newStripeId('req', 14),
  };
  let answer: Answer;
  try {
    checkKey(secretKey, request.headers.get('authorization'));
    answer = await answerCall(database, call);
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    answer = { status: error.status, body: JSON.stringify({ error: error.error }) };
  }
  return respond(call, answer);
}

function respond({ headers, requestId }: Call, { status, body, replayed }: Answer): Response {
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

/** `Bearer <key>`, or the key as the user of Basic. */
function checkKey(secretKey: string, authorization: string | null): void {
  const [scheme, value = ''] = (authorization ?? '').split(' ');
  const sent =
    scheme?.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString().replace(/:.*$/s, '') : value;
  if (!sent)
    throw new StripeRefusal(401, {
      type: 'invalid_request_error',
      message: 'You did not provide an API key.',
    });
  if (timingSafeEqual(digest(sent), digest(secretKey))) return;
  throw new StripeRefusal(401, {
    type: 'invalid_request_error',
    message: `Invalid API Key provided: ${sent.slice(0, 8)}****`,
  });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function answerCall(database: StandinDatabase, call: Call): Promise<Answer> {
  const found = findRoute(call);
  if (!found)
    throw new StripeRefusal(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${call.method}: ${call.path}).`,
    });
  const { route, id, inner } = found;
  const params = parseForm(call.form);
  if ('get' in route)
    return await database.read(async (reading) => {
      const body = await route.get(reading, params, id, inner);
      return { status: 200, body: JSON.stringify(await expand(reading.store, body, params.list('expand'))) };
    });
  const act = 'post' in route ? route.post : route.delete;
  return await change(database, call, params, (work) => act(work, params, id, inner));
}

function findRoute({ method, path }: Call): { route: Route; id: string; inner: string } | null {
  for (const route of ROUTES) {
    if (!(method.toLowerCase() in route)) continue;
    const pattern = new RegExp(`^${route.path.replaceAll(':id', '([^/]+)')}$`);
    const match = pattern.exec(path);
    if (match)
      return { route, id: decodeURIComponent(match[1] ?? ''), inner: decodeURIComponent(match[2] ?? '') };
  }
  return null;
}

type Act = Extract<Route, { post: unknown }>['post'];

async function change(
  database: StandinDatabase,
  call: Call,
  params: Params,
  act: (work: Parameters<Act>[0]) => Promise<object>,
): Promise<Answer> {
  const key = call.method === 'POST' ? call.headers.get('idempotency-key') : null;
  if (key && key.length > MAX_KEY)
    throw invalidRequest('Idempotency keys must be at most 255 characters.', 'idempotency_key_too_long');
  const sql = await database.open();
  if (key) {
    const known = await takeKey(sql, key, `${call.method} ${call.path} ${call.form}`, call.requestId);
    if (known) return { ...known, replayed: true };
  }
  try {
    if (await isSlow(database, params)) await database.pauseForSlowCard();
    const { result, cut } = await database.write(
      async (work): Promise<Answer> => {
        const done = await act(work).catch(keepDecline);
        if (isRefused(done)) return { status: done.status, body: JSON.stringify(done.body) };
        return { status: 200, body: JSON.stringify(await expand(work.store, done, params.list('expand'))) };
      },
      { id: call.requestId, idempotencyKey: key },
      key === null ? undefined : (answer) => answer,
    );
    if (cut) throw new ConnectionCut();
    return result;
  } catch (error) {
    // Nothing has happened: the key may be used again. A cut answer is kept already and stays.
    if (key) await releaseRequest(sql, call.requestId);
    throw error;
  }
}

function isRefused(done: object): done is Refused {
  return 'status' in done && done.status === 402;
}

/** A decline is an answer, which is kept; every other refusal undoes the request. */
function keepDecline(error: unknown): Refused {
  if (error instanceof StripeRefusal && error.status === 402)
    return { status: 402, body: { error: error.error } };
  throw error;
}

/** Does the request name the card whose answers take their time? */
async function isSlow(database: StandinDatabase, params: Params): Promise<boolean> {
  const id = params.text('payment_method');
  if (!id) return false;
  const magic = findMagicCard(id);
  if (magic) return magic.fault === 'slow';
  const method = await database.read(({ store }) => store.find('payment_method', id));
  return findTestCard(method?.hidden.number ?? '')?.fault === 'slow';
}
