import { createParser, type EventSourceMessage, type ParseError } from 'eventsource-parser';
import { createError } from './errors.js';

/** Longest accepted event; larger than any result of a call. */
const MAX_EVENT_CHARS = 64 * 1024 * 1024;

/** An event of an event stream (WHATWG HTML section 9.2) with its data parsed. */
export interface ServerEvent {
  /** Empty if the event has none. */
  id: string;
  event: string;
  data: unknown;
}

/**
 * Parses an event stream and yields its events; comments are skipped. No pipe through the library's
 * TransformStream: when the connection is lost, it would drop events that have arrived.
 * @throws GatewayError UNEXPECTED_ANSWER when an event is too long or the data is not JSON
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: MAX_EVENT_CHARS,
    onEvent: (message) => arrived.push(message),
    onError: refuseTooLong,
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      for (const { id = '', event = 'message', data } of arrived.splice(0))
        yield { id, event, data: parse(data) };
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Unknown fields are ignored, as the standard requires. */
function refuseTooLong(error: ParseError): void {
  if (error.type === 'max-buffer-size-exceeded')
    throw unexpected('An event of the stream is too long.', error);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unexpected('An event of the stream is not JSON.', error);
  }
}

function unexpected(message: string, cause?: unknown) {
  return createError(
    {
      code: 'UNEXPECTED_ANSWER',
      message,
      type: 'server',
      hint: 'Check that the base URL is the URL of a Tool Gateway.',
    },
    { cause },
  );
}
