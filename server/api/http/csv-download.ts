import type { z } from 'zod';
import { fieldErrors, invalidFields } from '../../core/errors/field-errors';
import { GatewayError } from '../../core/errors/gateway-error';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import { COMMON_HEADERS, chooseRequestId } from '../../core/http/headers';
import { errorResponse, toFetchResponse } from '../../core/http/responses';
import { policy, rateHeaders } from '../../core/limits/rate-headers';
import { getRuntime, type Runtime } from '../../core/runtime';
import type { SessionActor } from '../../core/trpc/actor';
import { resolveActor } from '../../identity/sessions/resolve-actor';
import { AccountSemaphore } from '../../kit/account-semaphore';
import { CSV_BYTE_ORDER_MARK } from '../../kit/csv';
import { Turns } from '../../kit/turns';
import { yieldToEventLoop } from '../../kit/yield-to-event-loop';
import { readSession } from './request-context';

/** Concurrent downloads. Most wait for their clients, which may read as slowly as they like. */
const MAX_PER_ACCOUNT = 2;
const MAX_IN_ALL = 100;
/** Pages that are made at once: each blocks the event loop for milliseconds. */
const MAX_PAGES = 8;
const RETRY_AFTER_SECONDS = 10;
/** A slow client loses its download after this time. */
const MAX_DOWNLOAD_MS = 15 * 60_000;

const accountSlots = new AccountSemaphore(MAX_PER_ACCOUNT);
const processSlots = new AccountSemaphore(MAX_IN_ALL);
const encoder = new TextEncoder();
const turns = new Turns(MAX_PAGES);

type Page = string | Uint8Array;
type Write<Query> = (
  runtime: Runtime,
  actor: SessionActor,
  query: Query,
) => Promise<{ filename: string; text: AsyncIterable<Page>; contentType?: string }>;

/**
 * Answers a signed-in user with a file, usually the CSV of what a page shows for the same query.
 * @param query schema of the URL's query; parameters with an empty value count as absent
 * @param write checks permissions, then yields the text, or bytes of another type, in pages
 */
export async function downloadCsv<Query>(
  request: Request,
  query: z.ZodType<Query>,
  write: Write<Query>,
): Promise<Response> {
  const runtime = getRuntime();
  const requestId = chooseRequestId(request.headers.get('x-request-id'));
  let leave: (() => void) | undefined;
  try {
    const actor = await resolveSession(runtime, request);
    leave = acquireSlot(actor.accountId);
    const {
      filename,
      text: lines,
      contentType = 'text/csv; charset=utf-8',
    } = await write(runtime, actor, readQuery(request.url, query));
    const pages = lines[Symbol.asyncIterator]();
    // The first pages are read before the status is sent, because a later failure can only break
    // off the file.
    const begin = [await readPage(pages), await readPage(pages)].flatMap(({ done, value }) =>
      done ? [] : value,
    );
    const failed = (error: unknown) => runtime.log.error('download.interrupted', { requestId, error });
    if (contentType.startsWith('text/csv')) begin.unshift(CSV_BYTE_ORDER_MARK);
    const file = streamPages(Buffer.concat(begin.map(toBytes)), pages, failed, leave);
    // Next answers HEAD with this handler too, and never reads its body.
    if (request.method === 'HEAD') await file.cancel();
    return new Response(request.method === 'HEAD' ? null : file, {
      headers: {
        'Content-Type': contentType,
        'Content-Disposition': `attachment; filename="${filename}"`,
        ...COMMON_HEADERS,
      },
    });
  } catch (thrown) {
    leave?.();
    const error = toGatewayError(thrown);
    if (error.status >= 500) runtime.log.error('download.failed', { requestId, error: error.cause ?? error });
    return toFetchResponse(errorResponse(error, { requestId, baseUrl: runtime.settings.baseUrl }));
  }
}

/**
 * The signed-in user of a request for a file.
 * @throws GatewayError AUTH_REQUIRED
 */
export async function resolveSession(runtime: Runtime, request: Request): Promise<SessionActor> {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const credentials = readSession({ header }, runtime.settings.baseUrl, false);
  const actor = await resolveActor({ runtime, credentials, transport: 'trpc' }, true);
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
 * Acquires a concurrency slot for a download in this process.
 * @returns releases the slot; safe to call more than once
 * @throws GatewayError RATE_LIMIT_EXCEEDED
 */
export function acquireSlot(accountId: string): () => void {
  const leaveAccount = accountSlots.tryAcquire(accountId);
  const leaveAll = leaveAccount && processSlots.tryAcquire('all');
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
    headers: rateHeaders([policy('downloads', most, RETRY_AFTER_SECONDS, most, RETRY_AFTER_SECONDS)]),
  });
}

function toBytes(page: Page): Uint8Array {
  return typeof page === 'string' ? encoder.encode(page) : page;
}

async function readPage(pages: AsyncIterator<Page>): Promise<IteratorResult<Page>> {
  return await turns.run(async () => {
    await yieldToEventLoop();
    return await pages.next();
  });
}

/** Reads pages at the client's pace; other requests are served between pages. */
function streamPages(
  begin: Uint8Array,
  pages: AsyncIterator<Page>,
  onError: (error: unknown) => void,
  leave: () => void,
): ReadableStream<Uint8Array> {
  const endsAt = performance.now() + MAX_DOWNLOAD_MS;
  return new ReadableStream({
    start: (controller) => controller.enqueue(begin),
    async pull(controller) {
      try {
        if (performance.now() > endsAt) throw new Error('The client took too long to read the file');
        const { done, value } = await readPage(pages);
        if (!done) return controller.enqueue(toBytes(value));
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
