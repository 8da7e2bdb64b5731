import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateKey, hashKey, isWellFormedKey, maskKey } from './key-format';

describe('the format of a key', () => {
  it('a thousand keys are all different and well-formed @B5 @B8', () => {
    const keys = Array.from({ length: 1000 }, generateKey);
    expect(new Set(keys.map((key) => key.secret)).size).toBe(1000);
    for (const key of keys) {
      expect(isWellFormedKey(key.secret)).toBe(true);
      expect(key.hash.equals(hashKey(key.secret))).toBe(true);
      expect(key.mask).toHaveLength(17);
    }
  });

  it('a changed character breaks the checksum', () => {
    const { secret } = generateKey();
    fc.assert(
      fc.property(
        fc.integer({ min: 8, max: secret.length - 1 }),
        fc.constantFrom(...'0aZ9kM'),
        (at, character) => {
          fc.pre(secret[at] !== character);
          expect(isWellFormedKey(secret.slice(0, at) + character + secret.slice(at + 1))).toBe(false);
        },
      ),
    );
  });

  it('rejects any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => !isWellFormedKey(text)));
  });

  it('the mask shows 16 of 46 characters', () => {
    expect(maskKey('tg_live_abcdefghijklmnopqrstuvwxyz0123456789')).toBe('tg_live_abcd…6789');
  });
});
