import { followJob } from '../../calls/jobs/follow-job';
import { GatewayError } from '../../core/errors/gateway-error';
import { methodNotAllowed } from '../../core/errors/method-not-allowed';
import { toGatewayError } from '../../core/errors/to-gateway-error';
import { chooseRequestId } from '../../core/http/headers';
import { errorResponse, toFetchResponse } from '../../core/http/responses';
import { StreamLimiter } from '../../core/live/stream-limiter';
import { readToken, writeToken } from '../../core/live/versions';
import { getRuntime, type Runtime } from '../../core/runtime';
import type { SessionActor } from '../../core/trpc/actor';
import { resolveActor } from '../../identity/sessions/resolve-actor';
import { eventStream, type StreamEvent } from './event-stream';
import { readSession } from './request-context';

/** Concurrent event streams of pages, and separately of job logs: per account and per process. */
const PER_ACCOUNT = 8;
const IN_ALL = 2_000;
const RETRY_AFTER_SECONDS = 30;

/** Anything else cannot be a job id; it is not queried, because PostgreSQL rejects some strings. */
const JOB_ID = /^job_[0-9a-z]{1,60}$/;

const pages = new StreamLimiter(PER_ACCOUNT, IN_ALL);
const logs = new StreamLimiter(PER_ACCOUNT, IN_ALL);

type Send = (event: StreamEvent) => void;
type End = 'signed-out' | 'stopping' | 'replaced' | 'left';

/**
 * `GET /api/live`: streams names of what has changed in the accounts of the signed-in user. Query:
 * `since`, the client's last token; `of`, the user whom the page was rendered for, because another
 * user may have signed in since.
 */
export function streamLive(request: Request): Promise<Response> {
  return answer(request, pages, async ({ request, runtime, actor, send, gone, session }) => {
    const { searchParams } = new URL(request.url);
    const of = searchParams.get('of');
    if (of !== null && of !== actor.userId) return send({ event: 'over', data: { reason: 'other-person' } });
    const since = readToken(searchParams.get('since'));
    const off = runtime.live.watch({
      sessionId: actor.sessionId,
      since,
      notify: (names, now) => send({ event: 'changed', data: { names, token: writeToken(now) } }),
      end: session.end,
    });
    gone.addEventListener('abort', off, { once: true });
    await session.ended;
    off();
  });
}

/**
 * `GET /api/live/jobs/{id}`: streams a job's log from the line `after` on, its progress and its
 * end.
 */
export function streamJobLog(request: Request, jobId: string): Promise<Response> {
  return answer(request, logs, async ({ request, runtime, actor, send, gone, session }) => {
    if (!JOB_ID.test(jobId)) return send({ event: 'end', data: { status: null } });
    const known = request.headers.get('last-event-id') ?? new URL(request.url).searchParams.get('after');
    const off = runtime.live.watch({
      sessionId: actor.sessionId,
      since: null,
      notify: () => undefined,
      end: session.end,
    });
    const over = new AbortController();
    const stop = () => over.abort();
    gone.addEventListener('abort', stop, { once: true });
    void session.ended.then(stop);
    try {
      for await (const event of followJob(runtime, actor, { jobId, after: lineNumber(known) }, over.signal)) {
        // Nothing may follow the event that ends the stream.
        if (over.signal.aborted) break;
        send(event);
      }
    } finally {
      off();
    }
  });
}

interface Streaming {
  request: Request;
  runtime: Runtime;
  actor: SessionActor;
  send: Send;
  gone: AbortSignal;
  /** Resolves also when the client disconnects. */
  session: { end: (reason: 'signed-out' | 'stopping') => void; ended: Promise<void> };
}

/**
 * Opens a stream for the signed-in user if a slot is free; otherwise answers with the Error shape.
 */
async function answer(
  request: Request,
  places: StreamLimiter,
  run: (streaming: Streaming) => Promise<void>,
): Promise<Response> {
  const runtime = getRuntime();
  const requestId = chooseRequestId(request.headers.get('x-request-id'));
  try {
    // Next answers HEAD with this handler too, and a stream that is never read would hold its slot.
    if (request.method !== 'GET') throw methodNotAllowed(request.method, ['GET', 'OPTIONS']);
    const actor = await readActor(request, runtime);
    let resolve: (reason: End) => void = () => undefined;
    const ended = new Promise<End>((done) => {
      resolve = done;
    });
    const leave = places.tryAcquire(actor.accountId, () => resolve('replaced'));
    if (!leave) throw new GatewayError('UNAVAILABLE', { details: { retry_after: RETRY_AFTER_SECONDS } });
    const stream = async (send: Send, gone: AbortSignal) => {
      gone.addEventListener('abort', () => resolve('left'), { once: true });
      if (gone.aborted) resolve('left');
      // After `over`, the client does not reconnect; when the process stops, it does.
      void ended.then((reason) => {
        if (reason === 'signed-out' || reason === 'replaced') send({ event: 'over', data: { reason } });
      });
      const session = { end: resolve, ended: ended.then(() => undefined) };
      await run({ request, runtime, actor, send, gone, session }).finally(leave);
    };
    return eventStream(request, stream, (error) =>
      runtime.log.error('live_stream.failed', { requestId, error }),
    );
  } catch (thrown) {
    const error = toGatewayError(thrown);
    if (error.status >= 500 && error.status !== 503)
      runtime.log.error('live_stream.failed', { requestId, error: error.cause ?? error });
    return toFetchResponse(errorResponse(error, { requestId, baseUrl: runtime.settings.baseUrl }));
  }
}

/** Requires a session and a page of our own: other sites must not listen or occupy slots. */
async function readActor(request: Request, runtime: Runtime): Promise<SessionActor> {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') throw new GatewayError('FORBIDDEN');
  const header = (name: string) => request.headers.get(name) ?? undefined;
  const credentials = readSession({ header }, runtime.settings.baseUrl, false);
  const actor = await resolveActor({ runtime, credentials, transport: 'trpc' }, true);
  if (actor.kind !== 'session') throw new GatewayError('AUTH_REQUIRED');
  return actor;
}

function lineNumber(text: string | null): number {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : 0;
}
