import type { CallEvent } from './client-types.js';
import { GatewayError } from './errors.js';
import { readCallEvents } from './responses.js';
import { pause, type RetryOptions } from './retry.js';

/** Connections in a row that may break without an event: about a minute with their pauses. */
const MAX_LOST_IN_A_ROW = 8;
const FIRST_PAUSE_MS = 300;
const MAX_PAUSE_MS = 5_000;

/** Where a stream continues: after this event of this job. */
export interface StreamPosition {
  jobId: string;
  lastEventId: string | undefined;
}

/** The requests that open a stream. */
interface StreamRequests {
  /** May be sent again: it has an Idempotency-Key. */
  start(): Promise<Response>;
  resume(position: StreamPosition): Promise<Response>;
}

/**
 * Yields the events of a call up to its result. Reconnects if the connection breaks, without
 * losing or repeating an event.
 * @param position undefined for a call that is still to be made
 * @throws GatewayError the failure of the call; UNREACHABLE if the gateway stays away
 */
export async function* followStream(
  requests: StreamRequests,
  position: StreamPosition | undefined,
  {
    signal,
    retry = true,
    onRetry,
  }: Pick<RetryOptions, 'retry' | 'onRetry'> & { signal?: AbortSignal | undefined },
): AsyncGenerator<CallEvent, void> {
  let at = position;
  let lost = 0;
  // A gateway of an earlier version names no address: its streams cannot be resumed.
  let canResume = true;
  for (;;) {
    try {
      const response = at ? await requests.resume(at) : await requests.start();
      for await (const event of readCallEvents(response, signal)) {
        lost = 0;
        if (event.event === 'started') {
          canResume = event.data.events_url !== undefined;
          if (event.data.job_id !== undefined) at = { jobId: event.data.job_id, lastEventId: undefined };
        }
        if (at) at = { ...at, lastEventId: event.id };
        yield event;
        if (event.event === 'result') return;
      }
    } catch (error) {
      const mayReturn = isConnectionLost(error) || (at !== undefined && isAway(error));
      if (!retry || !canResume || !mayReturn || ++lost > MAX_LOST_IN_A_ROW) throw error;
    }
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (lost - 1), MAX_PAUSE_MS);
    onRetry?.({ status: 0, seconds: pauseMs / 1000 });
    await pause(pauseMs, signal);
  }
}

function isConnectionLost(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'UNREACHABLE';
}

/** The gateway, or a proxy in front of it, is restarting. The failure of a call has status 200. */
function isAway(error: unknown): boolean {
  return error instanceof GatewayError && error.status >= 500;
}
