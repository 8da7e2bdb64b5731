import { guarded } from '../../kit/guarded';
import { EVENT_STREAM_HEADERS } from './sse';

/**
 * A comment line this often keeps proxies from closing the line, and tells us of clients that are
 * gone.
 */
const HEARTBEAT_MS = 15_000;
/** So much that nobody reads is held for a client; it is let go then, and comes back. */
const MAX_UNREAD_BYTES = 1024 * 1024;

export interface StreamEvent {
  event: string;
  /** Comes back as Last-Event-ID where a browser connects again. */
  id?: string | number;
  data: unknown;
}

/**
 * An event stream to a browser of ours, for as long as `run` takes or the client stays.
 * @param run writes; `gone` is aborted when the client has left. What it throws ends the stream
 * @param onError told of what `run` threw
 */
export function eventStream(
  request: Request,
  run: (send: (event: StreamEvent) => void, gone: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): Response {
  const gone = new AbortController();
  const leave = () => gone.abort();
  // Both tell of a closed tab, whichever comes first: the request's own end and the pipe's.
  if (request.signal.aborted) leave();
  else request.signal.addEventListener('abort', leave, { once: true });
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string) => {
          if (gone.signal.aborted) return;
          if ((controller.desiredSize ?? 0) <= 0) leave();
          else controller.enqueue(encoder.encode(text));
        };
        const beat = setInterval(
          guarded(() => write(': hb\n\n'), leave),
          HEARTBEAT_MS,
        );
        // At once, so that headers go out and the browser knows that it is connected.
        write(': open\n\n');
        void run((event) => write(lineOf(event)), gone.signal)
          .catch(onError)
          .finally(() => {
            clearInterval(beat);
            request.signal.removeEventListener('abort', leave);
            leave();
            closeQuietly(controller);
          });
      },
      cancel: leave,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES }),
  );
  return new Response(body, {
    // Compression would hold small events back.
    headers: { ...EVENT_STREAM_HEADERS, 'Cache-Control': 'no-store, no-transform' },
  });
}

/** JSON has no raw line break, so one data line holds it. */
function lineOf({ event, id, data }: StreamEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Where the client has left, it is closed already. */
function closeQuietly(controller: ReadableStreamDefaultController): void {
  try {
    controller.close();
  } catch {
    // Nobody is there to be told.
  }
}
