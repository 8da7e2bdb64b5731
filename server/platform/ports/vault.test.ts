import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VaultKeyMissing } from './ports';
import { createVault } from './vault';

const createKey = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const first = { id: 'k1', key: createKey(7) };
const second = { id: 'k2', key: createKey(8) };

describe('the vault', () => {
  const vault = createVault(first);

  it('opens what it sealed, in the same context only', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (plain, context, other) => {
        const sealed = vault.seal(plain, context);
        expect(vault.open(sealed, context)).toBe(plain);
        if (other !== context) expect(() => vault.open(sealed, other)).toThrow();
      }),
      { numRuns: 200 },
    );
  });

  it('reveals nothing of a sealed value, and never seals twice to the same text', () => {
    const sealed = vault.seal('sk-secret', 'a');
    expect(sealed).not.toContain('sk-secret');
    expect(sealed).not.toContain(Buffer.from('sk-secret').toString('base64url'));
    expect(vault.seal('sk-secret', 'a')).not.toBe(sealed);
  });

  it('refuses a changed value, another key with the same id, a short tag, and unsealed text', () => {
    const sealed = vault.seal('sk-secret', 'a');
    const parts = sealed.split('.');
    expect(() => vault.open([...parts.slice(0, 4), 'AAAA'].join('.'), 'a')).toThrow();
    expect(() => vault.open([...parts.slice(0, 3), 'AAAA', parts[4]].join('.'), 'a')).toThrow();
    expect(() => createVault({ id: 'k1', key: createKey(9) }).open(sealed, 'a')).toThrow();
    for (const wrong of ['', 'v1', 'v2.k1.a.b.c', 'sk-secret'])
      expect(() => vault.open(wrong, 'a')).toThrow();
    expect(() => createVault({ id: 'k1', key: Buffer.alloc(31).toString('base64') })).toThrow('32 bytes');
  });

  it('opens values of old keys by their key id, and seals with the current key', () => {
    const sealed = vault.seal('sk-secret', 'a');
    const rotated = createVault(second, [first]);
    expect(rotated.open(sealed, 'a')).toBe('sk-secret');
    expect(rotated.seal('sk-secret', 'a')).toMatch(/^v1\.k2\./);
    expect([rotated.keyId, [...rotated.keyIds].sort()]).toEqual(['k2', ['k1', 'k2']]);
    // It does not open under another key's id, because the id is authenticated too.
    expect(() => rotated.open(sealed.replace('v1.k1.', 'v1.k2.'), 'a')).toThrow();
  });

  it('names the missing key, and reveals nothing of the value', () => {
    const sealed = vault.seal('sk-secret', 'a');
    const error = (() => {
      try {
        return createVault({ id: 'k3', key: randomBytes(32).toString('base64') }, [second]).open(sealed, 'a');
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(VaultKeyMissing);
    expect(String(error)).toContain('"k1"');
    expect(String(error)).not.toContain(sealed);
  });
});
