import fc from 'fast-check';
import type { Holder } from './call-model';

/** Credit limits of the keys; the last key is the one that may be revoked. */
export const CREDITS = [null, 400n, null] as const;

const key = fc.nat({ max: CREDITS.length - 1 });
const price = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0n) },
  { weight: 4, arbitrary: fc.bigInt(1n, 300n) },
);
/** Picks one of the calls so far, as a share of them. */
const which = fc.noBias(fc.nat({ max: 999 })).map((n) => n / 1000);
/** Who closes a call; undefined means its current holder. */
const holder = fc.constantFrom<Holder | undefined>(
  undefined,
  undefined,
  undefined,
  undefined,
  'opener',
  'worker',
);
const streamed = fc.boolean();
const end = fc.record({ which, success: fc.boolean(), cost: fc.bigInt(0n, 400n) });
/** A random step. Prices and grants are small, so that every limit is reached often. */
export const step = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      act: fc.constant('open'),
      opens: fc.array(fc.tuple(key, price), { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('queue'),
      key,
      hold: price,
      rerunnable: fc.constantFrom(true, true, false),
    }),
  },
  { weight: 7, arbitrary: fc.record({ act: fc.constant('end'), end, by: holder }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('exchange'), end, key, hold: price }) },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant('settle'),
      settles: fc.array(
        fc.record({ key, hold: price, success: fc.boolean(), cost: fc.bigInt(0n, 400n), streamed }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('promote'), which }) },
  { weight: 8, arbitrary: fc.record({ act: fc.constant('start'), which }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('requeue'), which }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('cancel'), which }) },
  { weight: 5, arbitrary: fc.record({ act: fc.constant('expire'), which }) },
  { weight: 5, arbitrary: fc.record({ act: fc.constant('reap') }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('grant'), amount: fc.bigInt(1n, 500n) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('raise'), key, amount: fc.bigInt(1n, 300n) }) },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('budget'), limit: fc.option(fc.bigInt(200n, 2_000n)) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('freeze'), frozen: fc.constantFrom(true, false, false, false) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('revoke'), key: fc.constant(2) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('minute passes') }) },
);
/** Discriminated by `act`. */
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
