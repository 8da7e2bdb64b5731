import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '../testing/harness';
import { generateKey, hashKey } from './key-format';
import { resolveKeys } from './resolve-keys';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'command' });
});
afterAll(() => harness.close());

const SAMPLES = 2000;

/** The chance that two samples so different come from one distribution (Mann-Whitney, as a normal distribution). */
function mannWhitney(a: number[], b: number[]): number {
  const all = [...a.map((value) => ({ value, ofA: true })), ...b.map((value) => ({ value, ofA: false }))];
  all.sort((x, y) => x.value - y.value);
  let rankSum = 0;
  let ties = 0;
  for (let i = 0; i < all.length; ) {
    let j = i;
    while (j < all.length && all[j]?.value === all[i]?.value) j++;
    const rank = (i + 1 + j) / 2;
    for (let k = i; k < j; k++) if (all[k]?.ofA) rankSum += rank;
    ties += (j - i) ** 3 - (j - i);
    i = j;
  }
  const [n, m, total] = [a.length, b.length, all.length];
  const u = rankSum - (n * (n + 1)) / 2;
  const variance = ((n * m) / 12) * (total + 1 - ties / (total * (total - 1)));
  const z = Math.abs(u - (n * m) / 2) / Math.sqrt(variance);
  return erfc(z / Math.SQRT2);
}

/** Abramowitz and Stegun 7.1.26. */
function erfc(x: number): number {
  const t = 1 / (1 + 0.3275911 * x);
  const poly =
    t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  return poly * Math.exp(-x * x);
}

it('the measure tells a difference where there is one', () => {
  const noise = (shift: number) => Array.from({ length: SAMPLES }, () => Math.random() + shift);
  expect(mannWhitney(noise(0), noise(0.1))).toBeLessThan(0.001);
  const same = Array.from({ length: 5 }, () => mannWhitney(noise(0), noise(0)));
  expect(Math.max(...same)).toBeGreaterThan(0.01);
});

it('a key that is nearly right takes as long to refuse as one that is not', {
  timeout: 180_000,
}, async () => {
  const { key } = await harness.person();
  const { sql } = harness.runtime;
  /** All but one character of a live key: first and last, which lists show, are right. */
  const near = () => {
    const at = 13 + Math.floor(Math.random() * 28);
    return key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1);
  };
  const hashed = (secret: string) => hashKey(secret).toString('hex');
  const timed = async (hash: string) => {
    const started = performance.now();
    const found = await resolveKeys(sql, [hash]);
    const took = performance.now() - started;
    expect(found).toEqual([null]);
    return took;
  };
  let p = 0;
  // Another round where the machine was busy with something else: a true difference would be there in all of them.
  for (let round = 0; round < 10 && p <= 0.01; round++) {
    // Made before, and asked in pairs: what it takes to make one, and what the machine does besides, touches both alike.
    const pairs = Array.from({ length: SAMPLES }, () => [near(), generateKey().secret].map(hashed));
    for (let n = 0; n < 200; n++) await timed(hashed(n % 2 ? near() : generateKey().secret));
    const samples: [number[], number[]] = [[], []];
    for (const pair of pairs)
      for (const at of Math.random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const))
        samples[at].push(await timed(pair[at] ?? ''));
    p = mannWhitney(...samples);
  }
  expect(p).toBeGreaterThan(0.01);
});

it('what is compared is a hash: what index and statement see says nothing of the secret before it', async () => {
  const { sql } = harness.runtime;
  const columns = await sql`select column_name from information_schema.columns
    where table_name = 'api_keys' and column_name ~ 'secret|prefix|hash|mask' order by 1`;
  expect(columns.map((column) => column.column_name)).toEqual(['key_hash', 'mask']);
  const indexes =
    await sql`select indexdef from pg_indexes where tablename = 'api_keys' and indexdef ~ 'mask'`;
  expect(indexes).toEqual([]);
  const [a, b] = [generateKey().secret, generateKey().secret];
  const near = `${a.slice(0, -1)}${a.endsWith('0') ? '1' : '0'}`;
  const bits = (left: string, right: string) => {
    const [x, y] = [hashKey(left), hashKey(right)];
    return x.reduce((sum, byte, i) => sum + (byte ^ (y[i] ?? 0)).toString(2).replaceAll('0', '').length, 0);
  };
  // Of 256 bits about half differ, whether the secrets are alike or not.
  for (const distance of [bits(a, near), bits(a, b)]) expect(Math.abs(distance - 128)).toBeLessThan(60);
});
