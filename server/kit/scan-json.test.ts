import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readInput } from '../api/http/read-input';
import { measureLeastBlock } from '../testing/measure-block';
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

  it('counts values and different names for any split into chunks', () => {
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

  it('continues after a string that a line break ends', () => {
    expect(scan('"\\\n[1,2]').values).toBe(3);
    expect(scan('"\r["a","b"]').values).toBe(3);
  });

  it.each([
    ['1e309', true],
    ['-1E+400', true],
    ['1'.repeat(309), true],
    [`[${'1'.repeat(400)}]`, true],
    [`[${'1'.repeat(308)},2]`, false],
    ['[true,false,null,"1e309",{"1e309":"e"}]', false],
    [`"${'1'.repeat(400)}"`, false],
  ])('detects numbers that may be infinite: %.20s', (text, expected) => {
    expect(scan(text).mayBeInfinite).toBe(expected);
  });
});

describe('a request body', () => {
  it.each([
    ['{"a":{"b":[1,2,1e309]}}', 'a.b[2]'],
    ['[{"x":-1e999}]', '[0].x'],
    ['1e400', 'body'],
    ['{"__proto__":1e309}', '__proto__'],
  ])('with an infinite number is rejected with its field: %s', async (text, field) => {
    await expect(read(text)).rejects.toThrow(`${field}: Must be a finite number.`);
  });

  it.each([
    ['empty objects', fill('{}')],
    ['arrays in arrays', '['.repeat(MIB / 2) + ']'.repeat(MIB / 2)],
    ['fields', `{${Array.from({ length: 80_000 }, (_, at) => `"${at}a":1`)}}`],
    ['long numbers', fill('1'.repeat(308))],
    ['numbers with exponents', fill('1e9')],
    ['one infinite number after very many', fill('1').replace(/1\]$/, '1e309]')],
    ['escapes', `"${'\\"'.repeat(MIB / 2 - 1)}"`],
  ])('with a MiB of %s does not block the event loop', async (_, text) => {
    expect(await measureLeastBlock(50, 5, () => read(text))).toBeLessThan(50);
  });
});
