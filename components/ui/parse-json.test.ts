import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from './parse-json';

describe('parseJson', () => {
  it.each([
    ['{"a": 1,}', 1, 8, 'Trailing comma before }'],
    ['{"a": 1\n "b": 2}', 2, 2, 'Expected a comma or } here'],
    ['{\n  a: 1\n}', 2, 3, 'Expected a field name in double quotes here'],
    ["{'a': 1}", 1, 2, 'Expected a field name in double quotes here'],
    ['{"a" 1}', 1, 6, 'Expected a colon here'],
    ['{"a": \'x\'}', 1, 7, 'Strings use double quotes'],
    ['["x\ny"]', 1, 2, 'This string is not closed'],
    ['"\\x"', 1, 2, 'Invalid escape: write a backslash as \\\\'],
    ['{"a": ', 1, 7, 'Unexpected end: a value is missing'],
    ['', 1, 1, 'Unexpected end: a value is missing'],
    ['1 2', 1, 3, 'Nothing may follow the value'],
    ['01', 1, 2, 'Nothing may follow the value'],
    ['[tru]', 1, 2, 'Expected a value here'],
    ['{"id":\n 725653563933458433}', 2, 2, 'This number would change: write it as text, in quotes'],
    ['[1, 1e400]', 1, 5, 'This number would change: write it as text, in quotes'],
  ])('reports where %s is invalid', (text, line, column, message) => {
    expect(parseJson(text)).toMatchObject({ ok: false, line, column, message });
  });

  it('rejects exactly the texts that JSON.parse rejects', () => {
    const pieces = fc.array(fc.constantFrom(...'{}[]:,"\\ \n1a-.e\'', 'true', 'null', '"a":', '"\\u00e9"'));
    fc.assert(
      fc.property(
        fc.oneof(
          pieces.map((all) => all.join('')),
          fc.json(),
        ),
        (text) => {
          const parsed = parseJson(text);
          let valid = true;
          try {
            JSON.parse(text);
          } catch {
            valid = false;
          }
          expect(parsed.ok).toBe(valid);
          if (!parsed.ok) expect(parsed.message).not.toBe('This is not JSON');
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('handles a hundred thousand levels of nesting', () => {
    expect(parseJson(`${'['.repeat(100_000)}x`)).toMatchObject({ ok: false });
  });
});
