import { expect, it } from 'vitest';
import { csvLine } from './csv';

it.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['\t=1+1', "'\t=1+1"],
  ['\uff1d1+1', "'\uff1d1+1"],
  ['name;=1+1', "name;'=1+1"],
  ['a\n@b', '"a\n\'@b"'],
  ['a-b = c, "d"', '"a-b = c, ""d"""'],
])('a text that a spreadsheet would run as a formula stays text: %j @F36', (text, cell) => {
  expect(csvLine([text, -0.5])).toBe(`${cell},-0.50\r\n`);
});
