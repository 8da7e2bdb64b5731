import { createParser } from 'eventsource-parser';

/** An event of a stream, with its data parsed. */
export interface StreamEvent {
  /** Where the stream continues after this event. */
  id: string;
  event: string;
  data: unknown;
}

/** Parses a server-sent event stream. EventSource cannot send a request body. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const arrived: { id?: string | undefined; event?: string | undefined; data: string }[] = [];
  const parser = createParser({ onEvent: (message) => arrived.push(message) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      for (const { id = '', event = 'message', data } of arrived.splice(0))
        yield { id, event, data: JSON.parse(data) };
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
