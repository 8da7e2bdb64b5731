import { createParser } from 'eventsource-parser';

/** An event of an event stream; `id` and `event` are empty if it has none. */
export interface ReadEvent {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  data: any;
}

/** Parses the complete events of an event stream. @throws if data is not JSON */
export function readEvents(text: string): ReadEvent[] {
  const events: ReadEvent[] = [];
  const parser = createParser({
    onEvent: ({ id = '', event = '', data }) => events.push({ id, event, data: JSON.parse(data) }),
  });
  parser.feed(text);
  return events;
}

/** Reads the events of an open stream as they arrive. Ends without an error if it is cut. */
export async function* readEventStream(body: ReadableStream<Uint8Array> | null): AsyncGenerator<ReadEvent> {
  if (!body) return;
  const arrived: ReadEvent[] = [];
  const parser = createParser({
    onEvent: ({ id = '', event = '', data }) => arrived.push({ id, event, data: JSON.parse(data) }),
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* arrived.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
