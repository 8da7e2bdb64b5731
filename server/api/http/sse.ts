import type { CallEvent } from '../../core/trpc/context';
import { guarded } from '../../kit/guarded';

/** A comment line this often keeps proxies from closing the line (contract section 6). */
const HEARTBEAT_MS = 15_000;
const HEARTBEAT = ': hb\n\n';

/** WHATWG HTML section 9.2; no proxy may hold events back. */
export const EVENT_STREAM_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

/** Whether an Accept header asks for events by name; a wildcard does not. */
export function acceptsEvents(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return accept.split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/event-stream' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

/**
 * Events as the text of an event stream, numbered from 1, with heartbeats between them.
 * @param write false: nobody listens any more
 */
export async function writeEvents(
  events: AsyncIterable<CallEvent>,
  write: (chunk: string) => boolean,
): Promise<void> {
  let id = 0;
  const beat = setInterval(
    guarded(() => write(HEARTBEAT)),
    HEARTBEAT_MS,
  );
  try {
    for await (const { event, data } of events) {
      id += 1;
      // JSON has no raw line break, so one data line holds it.
      if (!write(`id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) return;
    }
  } finally {
    clearInterval(beat);
  }
}
