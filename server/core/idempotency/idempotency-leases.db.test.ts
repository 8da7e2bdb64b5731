import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { type AcquireRequest, acquireNewKeys } from './store';

let one: Harness;
let two: Harness;
let accountId: string;
beforeAll(async () => {
  one = await startHarness({ role: 'web' });
  two = await startHarness({ role: 'web', peer: one });
  accountId = (await one.person()).accountId;
});
afterAll(async () => {
  await two.close();
  await one.close();
});

const requestFor = (key: string): AcquireRequest => ({
  accountId,
  key,
  part: 0,
  owner: randomBytes(12).toString('hex'),
  fingerprint: Buffer.from(key.padEnd(32, '.')),
  callId: null,
  rerunnable: true,
  leaseSeconds: 90,
  lifetimeHours: 24,
});

describe('acquiring a group of new Idempotency-Keys', () => {
  it('gives each key to one request when two processes send the same groups in opposite order', async () => {
    for (let round = 0; round < 10; round++) {
      const keys = Array.from({ length: 60 }, (_, n) => `crossed-${round}-${n}`);
      const groups = [keys, keys.toReversed(), [...keys, ...keys]];
      const taken = await Promise.all(
        groups.map((group, n) => acquireNewKeys((n % 2 ? one : two).runtime.sql, group.map(requestFor))),
      );
      const owned = groups.flatMap((group, n) => group.filter((_, at) => taken[n]?.[at]));
      expect(owned.toSorted()).toEqual(keys.toSorted());
    }
  });

  it('takes one statement, and an existing key does not affect the others', async () => {
    const { flush } = one.runtime;
    expect(await flush.acquireIdempotencyKey(requestFor('taken'))).toEqual({ outcome: 'acquired' });
    const before = flush.counts().acquire;
    const keys = ['fresh-1', 'taken', 'fresh-2', 'weird "key\\ {,} NULL', 'NULL'];
    const found = await Promise.all(keys.map((key) => flush.acquireIdempotencyKey(requestFor(key))));
    expect(found.map(({ outcome }) => outcome)).toEqual([
      'acquired',
      'running',
      'acquired',
      'acquired',
      'acquired',
    ]);
    const { flushes, items } = flush.counts().acquire;
    expect({ flushes: flushes - before.flushes, items: items - before.items }).toEqual({
      flushes: 1,
      items: 5,
    });
    const rows = await one.runtime.sql<{ key: string; fingerprint: Buffer; seconds: number }[]>`
      select key, fingerprint, extract(epoch from lease_expires_at - created_at)::int as seconds
      from idempotency_keys where key = any(${keys})`;
    expect(rows.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
    for (const { key, fingerprint, seconds } of rows) {
      expect(fingerprint.toString()).toBe(key.padEnd(32, '.'));
      expect(seconds).toBe(90);
    }
  });
});
