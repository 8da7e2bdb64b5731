import { Agent, request } from 'node:http';

/** What some requests of one kind took, in milliseconds. */
export interface Timed {
  name: string;
  requests: number;
  p50: number;
  p99: number;
  max: number;
  /** What p99 (`usage`: p50) may be at most; null: only shown. */
  most: number | null;
  good: boolean;
}

/** @param by which of them must hold */
export function timed(name: string, times: number[], most: number | null, by: 'p50' | 'p99' = 'p99'): Timed {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
  const found = { p50: at(0.5), p99: at(0.99), max: at(1) };
  return { name, requests: times.length, ...found, most, good: most === null || found[by] <= most };
}

/** Asks one after the other, whole answers; some first that do not count. */
export async function timeEach(
  requests: number,
  ask: (n: number) => Promise<unknown>,
  warmups = Math.ceil(requests / 10),
): Promise<number[]> {
  for (let n = 0; n < warmups; n++) await ask(n);
  const times: number[] = [];
  for (let n = 0; n < requests; n++) {
    const begun = performance.now();
    await ask(n);
    times.push(performance.now() - begun);
  }
  return times;
}

/** One line that stays open, as a client's does. */
const agent = new Agent({ keepAlive: true });

/**
 * Takes a whole answer in and throws it away: what a client makes of its bytes is not the gateway's work.
 * @throws Error where it is not 200
 */
export function takeAnswer(url: string, headers: Record<string, string> = {}): Promise<void> {
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

/** The text of an answer. @throws Error where it is not 200 */
export async function getText(url: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 200)}`);
  return text;
}
