/** One event of a stream, its data parsed. */
export interface StreamEvent {
  event: string;
  data: unknown;
}

/**
 * The events of a body as they come (WHATWG HTML, 9.2, as far as our own streams use it). EventSource cannot send a body, so
 * the page reads for itself.
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = parseBlock(block);
        if (event) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

/** Null for a comment, which only keeps the line open. */
function parseBlock(block: string): StreamEvent | null {
  let event = 'message';
  let data: string | null = null;
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) event = line.slice(7);
    else if (line.startsWith('data: ')) data = data === null ? line.slice(6) : `${data}\n${line.slice(6)}`;
  }
  return data === null ? null : { event, data: JSON.parse(data) };
}
