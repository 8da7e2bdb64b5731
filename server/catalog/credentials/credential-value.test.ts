import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROVIDER_NAMES, PROVIDERS } from '../../platform/settings/providers';
import { findValueProblem, maskProviderKey } from './credential-value';

const printable = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 8,
  maxLength: 512,
});

describe('a provider key', () => {
  it('of printable characters is accepted unchanged by every provider', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PROVIDER_NAMES), printable, (slot, value) => {
        expect(findValueProblem(PROVIDERS[slot], value)).toBeNull();
      }),
    );
  });

  it.each([
    ['', 'empty'],
    [' sk-1234567890', 'white space'],
    ['sk-1234567890\n', 'white space'],
    ['sk-12345\t67890', 'white space'],
    ['sk-12345\r\nHost: evil.example', 'printable'],
    ['sk-12345\u0000', 'printable'],
    ['sk-schlüssel-1234', 'printable'],
    ['x'.repeat(513), '512'],
    ['short', 'OpenAI'],
  ])('%j is refused with the reason', (value, word) => {
    expect(findValueProblem(PROVIDERS.openai, value)).toContain(word);
  });

  it('is never repeated in an error', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6, unit: 'grapheme' }), (value) => {
        const problem = findValueProblem(PROVIDERS.openai, value) ?? '';
        const words = `Must not begin or end with white space. Must be printable ASCII characters without white space. Does not look like a key of OpenAI: copy the complete key from ${PROVIDERS.openai.acquireUrl}`;
        if (!words.includes(value)) expect(problem).not.toContain(value);
      }),
    );
  });
});

describe('a mask', () => {
  it('shows at most four characters at each end, and hides at least twelve', () => {
    fc.assert(
      fc.property(printable, (value) => {
        const [head = '', tail] = maskProviderKey(value).split('…');
        if (tail === undefined) {
          expect(head).toBe('••••••••');
          expect(value.length).toBeLessThan(20);
          return;
        }
        expect([value.startsWith(head), value.endsWith(tail)]).toEqual([true, true]);
        expect(head.length + tail.length).toBeLessThanOrEqual(8);
        expect(value.length - head.length - tail.length).toBeGreaterThanOrEqual(12);
      }),
    );
  });

  it('of a short key reveals nothing, not even its length', () => {
    expect(maskProviderKey('12345678')).toBe(maskProviderKey('1234567890123456789'));
  });
});
