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
