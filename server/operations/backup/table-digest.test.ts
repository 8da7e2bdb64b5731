import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TableDigest } from './table-digest';

const computeDigest = (chunks: readonly Buffer[]) => {
  const digest = new TableDigest();
  for (const chunk of chunks) digest.add(chunk);
  return digest.end();
};
const row = fc.string({ unit: 'grapheme' }).map((text) => `${text.replaceAll('\n', ' ')}\n`);

it('a table digest does not depend on the order of rows or the chunks of bytes', () => {
  fc.assert(
    fc.property(fc.array(row), fc.integer({ min: 1, max: 9 }), (rows, size) => {
      const whole = Buffer.from(rows.join(''));
      const cut = Array.from({ length: Math.ceil(whole.length / size) }, (_, n) =>
        whole.subarray(n * size, (n + 1) * size),
      );
      const back = Buffer.from([...rows].reverse().join(''));
      expect(computeDigest(cut)).toEqual(computeDigest([whole]));
      expect(computeDigest([back])).toEqual({ ...computeDigest([whole]), rows: rows.length });
    }),
  );
});

it('a table digest differs if a row differs, is missing, or is duplicated', () => {
  const of = (...rows: string[]) =>
    computeDigest([Buffer.from(rows.map((text) => `${text}\n`).join(''))]).digest;
  const all = [of('a', 'b'), of('a', 'c'), of('a'), of('a', 'b', 'b', 'b'), of('a', 'b', 'b'), of()];
  expect(new Set(all).size).toBe(all.length);
  expect(() => computeDigest([Buffer.from('a\nb')])).toThrow('no end');
});
