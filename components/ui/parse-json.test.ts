import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from './parse-json';

describe('JSON as a person types it', () => {
  it.each([
    ['{"a": 1,}', 1, 8, 'There is a comma before }'],
    ['{"a": 1\n "b": 2}', 2, 2, 'Expected a comma or } here'],
    ['{\n  a: 1\n}', 2, 3, 'Expected the name of a field in double quotes here'],
    ["{'a': 1}", 1, 2, 'Expected the name of a field in double quotes here'],
    ['{"a" 1}', 1, 6, 'Expected a colon here'],
    ['{"a": \'x\'}', 1, 7, 'Texts take double quotes'],
    ['["x\ny"]', 1, 2, 'This text has no end'],
    ['"\\x"', 1, 2, 'No such escape: a backslash itself is \\\\'],
    ['{"a": ', 1, 7, 'The text ends where a value is missing'],
    ['', 1, 1, 'The text ends where a value is missing'],
    ['1 2', 1, 3, 'Nothing may follow the end of the value'],
    ['01', 1, 2, 'Nothing may follow the end of the value'],
    ['[tru]', 1, 2, 'Expected a value here'],
  ])('%s is told where it is broken', (text, line, column, message) => {
    expect(parseJson(text)).toMatchObject({ ok: false, line, column, message });
  });

  it('is found broken somewhere wherever JSON.parse says so, and never else', () => {
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
      { numRuns: 5_000 },
    );
  });

  it('takes a text that is a hundred thousand levels deep', () => {
    expect(parseJson(`${'['.repeat(100_000)}x`)).toMatchObject({ ok: false });
  });
});
