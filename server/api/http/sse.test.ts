import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CallEvent } from '../../core/trpc/context';
import { readPreference } from './read-prefer';
import { acceptsEvents, writeEvents } from './sse';

afterEach(() => vi.useRealTimers());

async function* eventsAfter(ms: number, ...events: CallEvent[]): AsyncGenerator<CallEvent> {
  for (const event of events) {
    await new Promise((done) => setTimeout(done, ms));
    yield event;
  }
}

describe('an event stream', () => {
  it('sends the id of each event, puts its data on one line, and ends', async () => {
    let text = '';
    const sent: CallEvent[] = [
      { id: '1.500', event: 'progress', data: { message: 'two\nlines\r\nand \u2028 more' } },
      { id: 'end', event: 'result', data: { status: 'success' } },
    ];
    await writeEvents(eventsAfter(0, ...sent), (chunk) => {
      text += chunk;
      return true;
    });
    const blocks = text.split('\n\n').filter(Boolean);
    expect(blocks).toHaveLength(2);
    expect(blocks[0]?.split('\n').map((line) => line.split(':')[0])).toEqual(['id', 'event', 'data']);
    expect(JSON.parse(blocks[0]?.split('\n')[2]?.slice(6) ?? '')).toEqual(sent[0]?.data);
    expect(blocks[1]?.startsWith('id: end\nevent: result\n')).toBe(true);
  });

  it('sends a comment every 15 seconds while nothing happens @E7', async () => {
    vi.useFakeTimers();
    const chunks: string[] = [];
    const writing = writeEvents(eventsAfter(50_000, { id: 'end', event: 'result', data: {} }), (chunk) => {
      chunks.push(chunk);
      return true;
    });
    await vi.advanceTimersByTimeAsync(50_000);
    await writing;
    expect(chunks.slice(0, -1)).toEqual([': hb\n\n', ': hb\n\n', ': hb\n\n']);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(chunks).toHaveLength(4);
  });

  it('stops reading events once the client has disconnected @E7', async () => {
    let made = 0;
    async function* endless(): AsyncGenerator<CallEvent> {
      for (;;) yield { id: '1', event: 'progress', data: { made: ++made } };
    }
    await writeEvents(endless(), () => made < 3);
    expect(made).toBe(3);
  });
});

describe('request headers', () => {
  it('select events only by name, and not with q=0', () => {
    for (const yes of ['text/event-stream', 'application/json, Text/Event-Stream;q=0.5'])
      expect(acceptsEvents(yes)).toBe(true);
    for (const no of [undefined, '*/*', 'text/*', 'text/event-stream;q=0', 'text/event-stream; q=0.0'])
      expect(acceptsEvents(no)).toBe(false);
  });

  it('return the granted preferences as the client named them', () => {
    expect(readPreference('respond-async', 30)?.applied).toBe('respond-async');
    expect(readPreference('wait=900', 30)?.applied).toBe('wait=30');
    expect(readPreference('Respond-Async, wait="7"', 30)?.applied).toBe('respond-async, wait=7');
  });

  it('grant a wait within bounds, and ignore a malformed one', () => {
    const waits: [string | undefined, number | undefined][] = [
      [undefined, undefined],
      ['wait=5', 5],
      ['respond-async, wait=10', 10],
      ['wait="7"; foo, handling=lenient', 7],
      ['wait=900', 30],
      ['respond-async', 0],
      ['wait=-1', undefined],
      ['wait=1.5', undefined],
      ['wait', undefined],
      ['waiting=3', undefined],
    ];
    for (const [header, seconds] of waits) expect(readPreference(header, 30)?.waitSeconds).toBe(seconds);
  });
});
