import { Agent, request } from 'node:http';

/** Response times of requests of one kind, in milliseconds. */
export interface Timed {
  name: string;
  requests: number;
  p50: number;
  p99: number;
  max: number;
  /** Limit of p99 (usage: p50); null: not checked. */
  most: number | null;
  good: boolean;
}

/** @param by the percentile that must meet the limit */
export function timed(name: string, times: number[], most: number | null, by: 'p50' | 'p99' = 'p99'): Timed {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
  const found = { p50: at(0.5), p99: at(0.99), max: at(1) };
  return { name, requests: times.length, ...found, most, good: most === null || found[by] <= most };
}

/** Sends requests one at a time and reads complete responses, after uncounted warm-up requests. */
export async function timeEach(
  requests: number,
  ask: (n: number) => Promise<unknown>,
  warmups = Math.ceil(requests / 10),
): Promise<number[]> {
  for (let n = 0; n < warmups; n++) await ask(n);
  const times: number[] = [];
  for (let n = 0; n < requests; n++) {
    const started = performance.now();
    await ask(n);
    times.push(performance.now() - started);
  }
  return times;
}

/** Keep-alive, as in a client. */
const agent = new Agent({ keepAlive: true });

/**
 * Reads a complete response and discards it: parsing it is not the gateway's work.
 * @throws Error if the status is not 200
 */
export function discardResponse(url: string, headers: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers }, (response) => {
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url} answered ${response.statusCode}`));
      });
      response.resume();
    });
    asked.on('error', reject);
    asked.end();
  });
}

/** Returns the text of a response. @throws Error if the status is not 200 */
export async function getText(url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 200)}`);
  return text;
}
