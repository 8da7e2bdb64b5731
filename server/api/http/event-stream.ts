import { guarded } from '../../kit/guarded';
import { PAGE_STREAM_HEADERS } from './sse';

/**
 * A comment line at this interval stops proxies from closing the connection and detects clients
 * that have disconnected.
 */
const HEARTBEAT_MS = 15_000;
/**
 * Bytes buffered for a client that does not read; beyond this it is disconnected, and reconnects.
 */
const MAX_UNREAD_BYTES = 1024 * 1024;

export interface StreamEvent {
  event: string;
  /** Sent back as Last-Event-ID when the browser reconnects. */
  id?: string | number;
  data: unknown;
}

/**
 * Streams events to one of our pages until `run` returns or the client disconnects.
 * @param run sends events; `gone` is aborted when the client disconnects. Its error ends the stream
 * @param onError receives what `run` threw
 */
export function eventStream(
  request: Request,
  run: (send: (event: StreamEvent) => void, gone: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): Response {
  const gone = new AbortController();
  const leave = () => gone.abort();
  // A closed tab shows as the request's abort or the stream's cancel, whichever comes first.
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
        // Sent at once, so that headers go out and the browser knows that it is connected.
        write(': open\n\n');
        void run((event) => write(formatEvent(event)), gone.signal)
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
  return new Response(body, { headers: PAGE_STREAM_HEADERS });
}

/** JSON has no raw line breaks, so one data line holds it. */
function formatEvent({ event, id, data }: StreamEvent): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The controller is closed already if the client has disconnected. */
function closeQuietly(controller: ReadableStreamDefaultController): void {
  try {
    controller.close();
  } catch {
    // Already closed.
  }
}
