import type { z } from 'zod';
import { GatewayError } from '../../core/errors/gateway-error';
import { policy, rateHeaders } from '../../core/limits/rate-headers';
import { getRuntime, type Runtime } from '../../core/runtime';
import type { Actor, SessionActor } from '../../core/trpc/actor';
import { errorBody, fieldErrors, invalidFields, toGatewayError } from '../../core/trpc/format-error';
import { resolveActor } from '../../identity/sessions/resolve-actor';
import { newId } from '../../kit/ids';
import { ownTurn } from '../../kit/own-turn';
import { WaitingLimit } from '../../kit/waiting-limit';
import { readSession } from './request-context';

/** Downloads at once; a page of a file takes the event loop for milliseconds. */
const MAX_PER_ACCOUNT = 2;
const MAX_IN_ALL = 8;
const RETRY_AFTER_SECONDS = 10;
/** A client that reads slowly gives its place back after this. */
const MAX_DOWNLOAD_MS = 15 * 60_000;

const ofAccounts = new WaitingLimit(MAX_PER_ACCOUNT);
const inAll = new WaitingLimit(MAX_IN_ALL);

type Write<Query> = (
  runtime: Runtime,
  actor: SessionActor,
  query: Query,
) => Promise<{ filename: string; text: AsyncIterable<string> }>;

/**
 * Answers a signed-in person with a CSV file: exactly what a page shows for the same query.
 * @param query what of the URL is read; names without a value count as absent
 * @param write checks that they may, then gives the text page by page
 */
export async function downloadCsv<Query>(
  request: Request,
  query: z.ZodType<Query>,
  write: Write<Query>,
): Promise<Response> {
  const runtime = getRuntime();
  const requestId = newId('request');
  let leave: (() => void) | undefined;
  try {
    const header = (name: string) => request.headers.get(name) ?? undefined;
    const credentials = readSession({ header }, runtime.settings.baseUrl, false);
    const actor = signedIn(await resolveActor({ runtime, credentials, transport: 'trpc' }, true));
    leave = takePlace(actor.accountId);
    const { filename, text } = await write(runtime, actor, readQuery(request.url, query));
    const pages = text[Symbol.asyncIterator]();
    // What cannot be read is found out with the first lines: from then on the status is sent, and a
    // file can only break off.
    const begin = [await pages.next(), await pages.next()].flatMap(({ done, value }) => (done ? [] : value));
    const failed = (error: unknown) => runtime.log.error('a download broke off', { requestId, error });
    const file = streamOf(begin.join(''), pages, failed, leave);
    // Next answers HEAD from here too, and never reads its body.
    if (request.method === 'HEAD') await file.cancel();
    return new Response(request.method === 'HEAD' ? null : file, {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${filename}"`,
        'Cache-Control': 'no-store',
      },
    });
  } catch (thrown) {
    leave?.();
    const error = toGatewayError(thrown);
    if (error.status >= 500)
      runtime.log.error('a download failed', { requestId, error: error.cause ?? error });
    return Response.json(errorBody(error, requestId, runtime.settings.baseUrl), {
      status: error.status,
      headers: { 'Cache-Control': 'no-store', 'X-Request-Id': requestId, ...error.headers },
    });
  }
}

function signedIn(actor: Actor): SessionActor {
  if (actor.kind !== 'session') throw new GatewayError('AUTH_REQUIRED');
  return actor;
}

function readQuery<Query>(url: string, query: z.ZodType<Query>): Query {
  const given = Object.fromEntries([...new URL(url).searchParams].filter(([, value]) => value !== ''));
  const parsed = query.safeParse(given);
  if (parsed.success) return parsed.data;
  throw invalidFields(fieldErrors(parsed.error));
}

/**
 * A place among the downloads of this process.
 * @returns how to leave it, once or more often
 * @throws GatewayError RATE_LIMIT_EXCEEDED
 */
function takePlace(accountId: string): () => void {
  const leaveAccount = ofAccounts.enter(accountId);
  const leaveAll = leaveAccount && inAll.enter('all');
  if (leaveAll) {
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      leaveAccount();
      leaveAll();
    };
  }
  leaveAccount?.();
  const most = leaveAccount ? MAX_IN_ALL : MAX_PER_ACCOUNT;
  throw new GatewayError('RATE_LIMIT_EXCEEDED', {
    message: leaveAccount
      ? 'Too many files are being downloaded from this gateway.'
      : `An account may download ${MAX_PER_ACCOUNT} files at once.`,
    hint: 'Wait until a download is complete, then try again.',
    details: { limit: 'downloads', retry_after: RETRY_AFTER_SECONDS },
    headers: {
      'Retry-After': String(RETRY_AFTER_SECONDS),
      ...rateHeaders([policy('downloads', most, RETRY_AFTER_SECONDS, most, RETRY_AFTER_SECONDS)]),
    },
  });
}

/** Read only as fast as it is taken; other requests are served between its pages. */
function streamOf(
  begin: string,
  pages: AsyncIterator<string>,
  onError: (error: unknown) => void,
  leave: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const endsAt = performance.now() + MAX_DOWNLOAD_MS;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(begin)),
    async pull(controller) {
      try {
        await ownTurn();
        if (performance.now() > endsAt) throw new Error('The client took too long to read the file');
        const { done, value } = await pages.next();
        if (!done) return controller.enqueue(encoder.encode(value));
        leave();
        controller.close();
      } catch (error) {
        leave();
        onError(error);
        controller.error(error);
      }
    },
    async cancel() {
      leave();
      await pages.return?.();
    },
  });
}
