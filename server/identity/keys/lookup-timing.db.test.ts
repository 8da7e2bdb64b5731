import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { generateKey, hashKey } from './key-format';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'command' });
});
afterAll(() => harness.close());

it('compares only hashes, so the timing of the look-up reveals nothing about the secret @B7', async () => {
  const { sql } = harness.runtime;
  const columns = await sql`select column_name from information_schema.columns
    where table_name = 'api_keys' and column_name ~ 'secret|prefix|hash|mask' order by 1`;
  expect(columns.map((column) => column.column_name)).toEqual(['key_hash', 'mask', 'previous_key_hash']);
  const indexes =
    await sql`select indexdef from pg_indexes where tablename = 'api_keys' and indexdef ~ 'mask'`;
  expect(indexes).toEqual([]);
  const [a, b] = [generateKey().secret, generateKey().secret];
  const near = `${a.slice(0, -1)}${a.endsWith('0') ? '1' : '0'}`;
  const bits = (left: string, right: string) => {
    const [x, y] = [hashKey(left), hashKey(right)];
    return x.reduce((sum, byte, i) => sum + (byte ^ (y[i] ?? 0)).toString(2).replaceAll('0', '').length, 0);
  };
  // About half of the 256 bits differ, whether or not the secrets are similar.
  for (const distance of [bits(a, near), bits(a, b)]) expect(Math.abs(distance - 128)).toBeLessThan(60);
});
