import { expect, it } from 'vitest';
import { findJsonError } from './find-json-error';

it.each([
  ['{"a": 1,}', 1, 9, 'a field name in double quotes', '}'],
  ["{'a': 1}", 1, 2, 'a field name in double quotes or }', "'"],
  ['{\n  "a": True\n}', 2, 8, 'a value in JSON', 'T'],
  ['{"a": NaN}', 1, 7, 'a value in JSON', 'N'],
  ['{"a" 1}', 1, 6, 'a colon after the field name', '1'],
  ['{"a": 1 "b": 2}', 1, 9, 'a comma or }', '"'],
  ['[1, 2', 1, 6, 'a comma or ]', null],
  ['{"a": "x', 1, 9, 'a double quote that ends the string', null],
  ['{"a": "x\ny"}', 1, 9, 'control characters in strings', '\n'],
  ['{"a": "\\x"}', 1, 8, 'an escape such as', '\\'],
  ['{"a": 01}', 1, 8, 'a comma or }', '1'],
  ['{"a": 1} x', 1, 10, 'the end of the text', 'x'],
  ['', 1, 1, 'a value in JSON', null],
])('finds what is wrong with %j', (text, line, column, expected, found) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(findJsonError(text)).toEqual({ line, column, expected: expect.stringContaining(expected), found });
});

it.each(['{"a": [1, -0.5e+3, "\\u00e9\\n", {}, []], "b": null}', ' true ', '"x"', '[[[]]]'])(
  'accepts %j',
  (text) => {
    JSON.parse(text);
    expect(findJsonError(text)).toBeNull();
  },
);

it('reads a megabyte of nested arrays without recursion', () => {
  expect(findJsonError('['.repeat(300_000))).toMatchObject({ column: 300_001, found: null });
  expect(findJsonError(`"${'a'.repeat(900_000)}`)).toMatchObject({ column: 900_002, found: null });
});
