import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureLeastBlock } from '@/test/support/measure-block';
import { readInput } from '../api/http/read-input';
import { JsonScanner, scanJson } from './scan-json';

const MIB = 1024 * 1024;
const scan = (text: string) => scanJson(Buffer.from(text));
const route: Parameters<typeof readInput>[1] = { hasInput: true, method: 'POST', params: [] };
const read = (text: string) => {
  const body = Buffer.from(text);
  const request = {
    header: (name: string) => (name === 'content-type' ? 'application/json' : undefined),
    body: async () => body,
  };
  return readInput(request, route, {}, '', MIB);
};
const fill = (unit: string) => `[${Array(Math.floor(MIB / (unit.length + 1)) - 1).fill(unit)}]`;
/** Counts by traversing the parsed value. */
function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = Object.values(value).reduce((sum: number, item) => sum + partsOf(item), 1);
  return inside + (Array.isArray(value) ? 0 : Object.keys(value).length);
}

function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, item) => sum + valuesOf(item), 1);
}

function namesOf(value: unknown, names = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return names;
  if (!Array.isArray(value)) for (const name of Object.keys(value)) names.add(name);
  for (const item of Object.values(value)) namesOf(item, names);
  return names;
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe('scanJson', () => {
  it('measures the depth, ignoring brackets in strings', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(scan(JSON.stringify(value)).depth).toBe(depthOf(value));
      }),
    );
    expect(scan('["[[[{", {"]":[]}]').depth).toBe(3);
  });

  it('counts objects, arrays and fields, ignoring strings', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(scan(JSON.stringify(value)).parts).toBe(partsOf(value));
      }),
    );
    expect(scan('["{[:\\"{[:", {"a\\\\":1}]').parts).toBe(3);
  });

  it('counts values and different names for any split into chunks @E22', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 9 }), fc.boolean(), (value, size, spaced) => {
        const bytes = Buffer.from(JSON.stringify(value, null, spaced ? 2 : 0));
        const scanner = new JsonScanner();
        for (let at = 0; at < bytes.length; at += size) scanner.push(bytes.subarray(at, at + size));
        expect(scanner.values).toBe(valuesOf(value));
        expect(scanner.names).toBe(namesOf(value).size);
        expect(scanner.depth).toBe(depthOf(value));
      }),
    );
  });

  it('stops after the first name too many @E22', () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`n${n}`, [n]])));
    expect(scanJson(Buffer.from(many), 10)).toMatchObject({ names: 11, parts: 22 });
    const scanner = new JsonScanner(10);
    for (let piece = 0; piece < 3; piece++) scanner.push(Buffer.from(many));
    expect(scanner.parts).toBe(22);
  });

  it('continues after a string that a line break ends', () => {
    expect(scan('"\\\n[1,2]').values).toBe(3);
    expect(scan('"\r["a","b"]').values).toBe(3);
  });

  it.each([
    ['1e309', true],
    ['-1E+400', true],
    ['9007199254740993', true],
    ['[12345678901.234567]', true],
    [`[${'1'.repeat(15)},2]`, false],
    ['[1234567.8901234,0.1]', false],
    ['[true,false,null,"1e309",{"1e309":"e"}]', false],
    [`"${'1'.repeat(400)}"`, false],
  ])('detects numbers that a double may not hold: %.30s', (text, expected) => {
    expect(scan(text).mayLoseDigits).toBe(expected);
  });
});

describe('a request body', () => {
  it.each([
    ['{"a":{"b":[1,2,1e309]}}', 'a.b[2]: 1e309'],
    ['[{"x":-1e999}]', '[0].x: -1e999'],
    ['1e400', 'body: 1e400'],
    ['{"__proto__":1e309}', '__proto__: 1e309'],
    ['{"id":725653563933458433,"n":1}', 'id: 725653563933458433'],
    ['{"sum":12345678901234567.89}', 'sum: 12345678901234567.89'],
    [`{"n":${'7'.repeat(80)}}`, `n: ${'7'.repeat(60)}…`],
    ['{"a":9007199254740993,"b":[1e400]}', 'a: 9007199254740993'],
  ])('with a number that would change is refused with its field: %.40s', async (text, said) => {
    await expect(read(text)).rejects.toThrow(
      `${said} would change as a JSON number. Send it as text, in quotes, or with fewer digits.`,
    );
  });

  it.each([
    '{"a":9007199254740992,"b":0.1234567890123456,"c":1.7976931348623157e308}',
    '{"text":"725653563933458433 and 1e400"}',
    '{"twice":1e400,"twice":1}',
    '\uFEFF{"n":9007199254740991,"e":1e22}',
  ])('with numbers that are kept passes: %s', async (text) => {
    await expect(read(text)).resolves.toEqual(JSON.parse(text.replace(/^\uFEFF/, '')));
  });

  it.each([
    ['empty objects', fill('{}')],
    ['arrays in arrays', '['.repeat(MIB / 2) + ']'.repeat(MIB / 2)],
    ['fields', `{${Array.from({ length: 80_000 }, (_, at) => `"${at}a":1`)}}`],
    ['long numbers', fill('1'.repeat(308))],
    ['numbers with exponents', fill('1e9')],
    ['long decimals', fill('0.1234567890123456')],
    ['numbers that no double holds', fill('1e400')],
    ['long integers', fill('9007199254740993')],
    ['one infinite number after very many', fill('1').replace(/1\]$/, '1e309]')],
    ['escapes', `"${'\\"'.repeat(MIB / 2 - 1)}"`],
  ])('with a MiB of %s does not block the event loop', async (_, text) => {
    expect(await measureLeastBlock(50, 5, () => read(text))).toBeLessThan(50);
  });
});
