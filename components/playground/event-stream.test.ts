import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvents, type StreamEvent } from './event-stream';

const TEXT =
  'id: 1\nevent: started\ndata: {"id":"call_1"}\n\n: hb\n\nid: 2\nevent: progress\ndata: {"message":"ü 😀\\n"}\n\nid: 3\nevent: result\ndata: {}\n\n';

async function collectEvents(chunks: Uint8Array[]): Promise<StreamEvent[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const events: StreamEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

describe('readEvents', () => {
  it('parses the same events however the bytes are split into chunks', async () => {
    const bytes = new TextEncoder().encode(TEXT);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 10 }), async (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, at) => bytes.slice(places[at], end));
        expect(await collectEvents(chunks)).toEqual([
          { id: '1', event: 'started', data: { id: 'call_1' } },
          { id: '2', event: 'progress', data: { message: 'ü 😀\n' } },
          { id: '3', event: 'result', data: {} },
        ]);
      }),
    );
  });
});
