import { getTRPCErrorShape, TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { GatewayError } from '../../core/errors/gateway-error';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import { COMMON_HEADERS, chooseRequestId, JSON_TYPE } from '../../core/http/headers';
import { jsonResponse, textResponse, toFetchResponse } from '../../core/http/responses';
import { getRuntime, type Runtime } from '../../core/runtime';
import type { RequestContext } from '../../core/trpc/context';
import { describeApi } from '../../docs/api-reference';
import { scanBody } from '../http/read-input';
import { clientIp, readSession } from '../http/request-context';
import { appRouter } from '../root';

const ENDPOINT = '/api/trpc';
const MAX_BODY_BYTES = 1024 * 1024;
/** Matches the batch size of the pages (components/shared/trpc-provider). */
const MAX_BATCH = 10;
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

/**
 * tRPC for the dashboard: sessions only, and changes only from our own pages (threats B15). Another
 * site's form or script has another Origin, no JSON content type, or no SameSite cookie.
 */
export async function handleTrpc(request: Request, runtime: Runtime = getRuntime()): Promise<Response> {
  const refused = request.method === 'POST' ? refuseForeignPost(request, runtime.settings.baseUrl) : null;
  if (refused) return refused;
  const prepared = await answerPrepared(request, runtime);
  if (prepared) return prepared;
  const body = request.method === 'POST' ? await readBody(request) : null;
  if (body instanceof GatewayError) return refuse(request, runtime, body);
  const response = await fetchRequestHandler({
    endpoint: ENDPOINT,
    req: body ? new Request(request, { body, signal: request.signal }) : request,
    router: appRouter,
    maxBatchSize: MAX_BATCH,
    createContext: () => createBrowserContext(request, runtime),
    responseMeta: () => ({ headers: new Headers(COMMON_HEADERS) }),
    onError({ error, path, ctx }) {
      const known = toGatewayError(error);
      if (known.status >= 500)
        runtime.log.error('procedure.failed', {
          requestId: ctx?.requestId,
          path,
          error: known.cause ?? known,
        });
    },
  });
  return (await bufferWithinLimit(response)) ?? refuse(request, runtime, TOO_LARGE);
}

/**
 * Reads the body, or returns its error before tRPC parses it: parsing a huge body would block the
 * thread.
 */
async function readBody(request: Request): Promise<Uint8Array<ArrayBuffer> | GatewayError> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  try {
    scanBody(bytes);
    return bytes;
  } catch (error) {
    return toGatewayError(error);
  }
}

const PREPARED = 'guides.api';
let prepared: { baseUrl: string; text: Promise<string> } | undefined;

/**
 * The API reference is public and large: its response is rendered once, not for each procedure of
 * each batch.
 */
async function answerPrepared(
  request: Request,
  { settings }: Pick<Runtime, 'settings'>,
): Promise<Response | null> {
  const { pathname, searchParams } = new URL(request.url);
  const isBatch = searchParams.get('batch') === '1';
  const names = pathname.slice(`${ENDPOINT}/`.length).split(',');
  const fits = names.length <= (isBatch ? MAX_BATCH : 1) && names.every((name) => name === PREPARED);
  if (request.method !== 'GET' || !fits || request.headers.has('trpc-accept')) return null;
  const { baseUrl } = settings;
  if (prepared?.baseUrl !== baseUrl || process.env.NODE_ENV === 'development') {
    const text = describeApi(baseUrl).then((data) => JSON.stringify({ result: { data } }));
    prepared = { baseUrl, text };
    text.catch(() => {
      prepared = undefined;
    });
  }
  const text = await prepared.text;
  return new Response(isBatch ? `[${names.map(() => text).join(',')}]` : text, {
    headers: { 'Content-Type': JSON_TYPE, ...COMMON_HEADERS },
  });
}

/**
 * Buffers the response before it is sent, even a streamed one; null if it exceeds what any page
 * needs.
 */
async function bufferWithinLimit(response: Response): Promise<Response | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) return null;
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status, headers });
}

const TOO_LARGE = new GatewayError('INVALID_INPUT', {
  message: `The response would exceed ${MAX_ANSWER_BYTES} bytes.`,
  hint: 'Request fewer items at once.',
});

/** Answers the whole request with an error in the shape of a procedure's. */
function refuse(request: Request, runtime: Runtime, error: GatewayError): Response {
  const shape = getTRPCErrorShape({
    config: appRouter._def._config,
    error: new TRPCError({ code: 'BAD_REQUEST', cause: error }),
    type: 'unknown',
    path: undefined,
    input: undefined,
    ctx: createBrowserContext(request, runtime),
  });
  return toFetchResponse(jsonResponse(error.status, { error: shape }));
}

/** Returns the response to a POST that does not come from one of our pages; null if it does. */
export function refuseForeignPost(request: Request, baseUrl: string): Response | null {
  const refuse = (status: number, text: string) => toFetchResponse(textResponse(status, text));
  if (request.headers.get('origin') !== baseUrl) return refuse(403, `Open this gateway at ${baseUrl}`);
  if (
    !request.headers.get('content-type')?.startsWith('application/json') ||
    request.headers.has('content-encoding')
  )
    return refuse(415, 'Unsupported Media Type');
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES)
    return refuse(413, 'Payload Too Large');
  return null;
}

/** Builds the context of a browser's request for the procedures. */
export function createBrowserContext(request: Request, runtime: Runtime): RequestContext {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const source = { header, remoteAddress: header('x-gateway-peer') ?? '' };
  return {
    runtime,
    requestId: chooseRequestId(header('x-request-id')),
    clientIp: clientIp(source, runtime.settings.trustedProxyHops),
    credentials: readSession({ header }, runtime.settings.baseUrl, false),
    session: {},
    providerKeys: new Map(),
    userAgent: header('user-agent') ?? null,
    signal: () => request.signal,
    reply: { headers: {} },
    transport: 'trpc',
  };
}
