import type { CallEvent } from '../../core/trpc/context';
import { guarded } from '../../kit/guarded';

/**
 * A comment line at this interval stops proxies from closing the connection (contract section 6).
 */
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = ': hb\n\n';

/** WHATWG HTML section 9.2; the last header stops proxies from buffering events. */
export const EVENT_STREAM_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** For our pages. These streams pass through Next, which would compress and so delay events. */
export const PAGE_STREAM_HEADERS: Readonly<Record<string, string>> = {
  ...EVENT_STREAM_HEADERS,
  'Cache-Control': 'no-store, no-transform',
};

/** Whether an Accept header names event streams; a wildcard does not count. */
export function acceptsEvents(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/event-stream' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/**
 * Writes events as the text of an event stream, with heartbeats in between.
 * @param write returns false once the client has disconnected
 */
export async function writeEvents(
  events: AsyncIterable<CallEvent>,
  write: (chunk: string) => boolean,
): Promise<void> {
  const beat = setInterval(
    guarded(() => write(HEARTBEAT)),
    HEARTBEAT_MS,
  );
  try {
    for await (const { id, event, data } of events) {
      // JSON has no raw line breaks, so one data line holds it.
      if (!write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) return;
    }
  } finally {
    clearInterval(beat);
  }
}
