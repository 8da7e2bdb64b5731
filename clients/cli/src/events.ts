import { createError } from './errors.js';

/** Longest accepted line; larger than any result of a call. */
const MAX_LINE_CHARS = 64 * 1024 * 1024;

/** An event of an event stream (WHATWG HTML section 9.2) with its data parsed. */
export interface ServerEvent {
  event: string;
  data: unknown;
}

/**
 * Parses an event stream and yields its events; comments are skipped.
 * @throws GatewayError UNEXPECTED_ANSWER when a line is too long or the data is not JSON
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  let event = 'message';
  let data: string[] = [];
  for await (const line of readLines(body)) {
    if (line === '') {
      if (data.length > 0) yield { event, data: parse(data.join('\n')) };
      event = 'message';
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    if (field === 'data') data.push(value);
  }
}

async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  const reader = body.getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // CRLF may be split across chunks, so a trailing CR waits for its LF.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE_CHARS) throw unexpected('An event of the stream is too long.');
      yield* lines;
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
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
