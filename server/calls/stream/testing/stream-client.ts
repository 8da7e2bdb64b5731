import type { Harness } from '@/test/support/harness';
import { type ReadEvent, readEventStream } from '@/test/support/read-events';

/** A streamed call or a resumed stream over HTTP, which the client can cut. */
export interface OpenStream {
  status: number;
  /** Reads up to this many events, or to the end, then cuts the connection. */
  read(count?: number): Promise<ReadEvent[]>;
}

export async function openStream(
  { baseUrl }: Harness,
  target: string,
  { key, json, headers = {} }: { key: string; json?: object; headers?: Record<string, string> },
): Promise<OpenStream> {
  const cut = new AbortController();
  const response = await fetch(`${baseUrl}${target}`, {
    method: json ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      ...(json ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(json ? { body: JSON.stringify(json) } : {}),
    signal: cut.signal,
  });
  return {
    status: response.status,
    async read(count = Number.POSITIVE_INFINITY) {
      const events: ReadEvent[] = [];
      for await (const event of readEventStream(response.body)) {
        events.push(event);
        if (events.length >= count) break;
      }
      cut.abort();
      return events;
    },
  };
}

/** Resumes the stream of a job after an event, to its end. */
export async function resume(on: Harness, key: string, jobId: string, after?: string): Promise<ReadEvent[]> {
  const headers: Record<string, string> = after === undefined ? {} : { 'last-event-id': after };
  return await (await openStream(on, `/v1/jobs/${jobId}/events`, { key, headers })).read();
}

/**
 * What must be the same in a stream that was cut and resumed: everything but progress without a
 * line, which is a state, the rate limit at that time, and the request that received an error.
 */
export function toEssence(events: readonly ReadEvent[]): ReadEvent[] {
  const lines = new Set<number>([0]);
  return events
    .filter(({ event, data }) => {
      if (event !== 'progress') return true;
      const isNew = !lines.has(data.seq);
      lines.add(data.seq);
      return isNew;
    })
    .map(({ id, event, data }) => {
      if (event === 'rate_limit') return { id, event, data: { policy: data.policy } };
      if (event !== 'error') return { id, event, data };
      const { request_id: _, ...error } = data.error;
      return { id, event, data: { ...data, error } };
    });
}
