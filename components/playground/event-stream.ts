/** An event of a stream, with its data parsed. */
export interface StreamEvent {
  event: string;
  data: unknown;
}

/**
 * Parses a server-sent event stream (WHATWG HTML 9.2, the subset the gateway sends). EventSource
 * cannot send a request body.
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

/** Null for a comment, which is only a heartbeat. */
function parseBlock(block: string): StreamEvent | null {
  let event = 'message';
  let data: string | null = null;
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) event = line.slice(7);
    else if (line.startsWith('data: ')) data = data === null ? line.slice(6) : `${data}\n${line.slice(6)}`;
  }
  return data === null ? null : { event, data: JSON.parse(data) };
}
