import { expect, it } from 'vitest';
import { getResponseFileName } from './describe-input';

const url = new URL('https://files.test/from-url.txt');

it.each([
  ['attachment; filename="a b.txt"', 'a b.txt'],
  ['attachment; filename=plain.txt; size=3', 'plain.txt'],
  ['attachment; filename="a \\"b\\".txt"', 'a _b_.txt'],
  [`attachment; filename="x"; filename*=UTF-8''na%C3%AFf.png`, 'naïf.png'],
  ['attachment; filename="C:\\dir\\x.txt"', 'x.txt'],
  ['attachment', 'from-url.txt'],
  [null, 'from-url.txt'],
])('reads the name of %j', (disposition, name) => {
  expect(getResponseFileName(disposition, url)).toBe(name);
});
