import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvents, type ServerEvent } from './events.js';

async function collectEvents(chunks: Uint8Array[], onEvent?: (event: ServerEvent) => void) {
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
  });
  const events: ServerEvent[] = [];
  for await (const event of readEvents(body)) {
    events.push(event);
    onEvent?.(event);
  }
  return events;
}

const encode = (text: string) => new TextEncoder().encode(text);

describe('readEvents', () => {
  it.each(['\n', '\r\n', '\r'])('parses lines that end with %j, however the bytes are split', async (end) => {
    const lines = [
      'id: 1',
      'event: started',
      'data: {"id":"call_1"}',
      '',
      ': hb',
      '',
      'retry: soon',
      'other: field',
      'event:progress',
      'data:{"message":',
      'data: "ü 😀"}',
      '',
      'data: {}',
      '',
      'data: {"not":"complete"}',
    ];
    const bytes = encode(`${lines.join(end)}${end}`);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(bytes.length), { maxLength: 10 }), async (cuts) => {
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((place, at) => bytes.slice(places[at], place));
        expect(await collectEvents(chunks)).toEqual([
          { id: '1', event: 'started', data: { id: 'call_1' } },
          { id: '', event: 'progress', data: { message: 'ü 😀' } },
          { id: '', event: 'message', data: {} },
        ]);
      }),
    );
  });

  it('refuses data that is not JSON, after the events before it', async () => {
    const seen: unknown[] = [];
    const reading = collectEvents([encode('data: 1\n\ndata: <html>\n\n')], ({ data }) => seen.push(data));
    await expect(reading).rejects.toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      message: 'An event of the stream is not JSON.',
    });
    expect(seen).toEqual([1]);
  });

  it('refuses an event that is too long, and cancels the response', async () => {
    const mebibyte = new Uint8Array(1024 * 1024).fill(32);
    let sent = 0;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(mebibyte);
      },
      cancel() {
        cancelled = true;
      },
    });
    await expect(readEvents(body).next()).rejects.toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      message: 'An event of the stream is too long.',
    });
    expect([cancelled, sent < 70]).toEqual([true, true]);
  });

  it('yields the events that arrived before the connection was lost', async () => {
    let sent = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent) return controller.error(new Error('lost'));
        sent = true;
        controller.enqueue(encode('data: 1\n\ndata: 2\n\n'));
      },
    });
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const { data } of readEvents(body)) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        seen.push(data);
      }
    })();
    await expect(reading).rejects.toThrow('lost');
    expect(seen).toEqual([1, 2]);
  });
});
