import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findSkill, runSkill } from '../sdk/skill-harness';
import { tool } from '.';
import { sumValues } from './statistics-worker.mjs';

const evaluate = async (expression: string, rest: Record<string, unknown> = {}) =>
  (await runSkill(tool, 'evaluate', { expression, ...rest })).output;
const convert = async (value: number, from: string, to: string) =>
  (await runSkill(tool, 'units', { value, from, to })).output.value;
const describeValues = async (input: Record<string, unknown>) =>
  (await runSkill(tool, 'statistics', input)).output;

describe('evaluate', () => {
  it('returns text, number and JSON', async () => {
    expect(await evaluate('2 * (3 + 4)')).toEqual({ result: '14', number: 14, value: 14, type: 'number' });
    expect(await evaluate('10!')).toMatchObject({ result: '3628800' });
    expect(await evaluate('[1, 2; 3, 4]^-1')).toMatchObject({
      number: null,
      value: [
        [-2, 1],
        [1.5, -0.5],
      ],
    });
    expect(await evaluate('sqrt(-4)')).toMatchObject({ value: { re: 0, im: 2 }, type: 'Complex' });
    expect(await evaluate('a = 3; b = 4; sqrt(a^2 + b^2)')).toMatchObject({ number: 5 });
    expect(await evaluate('1 / 0')).toMatchObject({ result: 'Infinity', number: null, value: 'Infinity' });
    expect(await evaluate('5 inch to cm')).toMatchObject({ result: '12.7 cm' });
  });

  it.each([
    ['2^64 + 1', '18446744073709551617'],
    ['factorial(25)', '15511210043330985984000000'],
    ['-9007199254740993', '-9007199254740993'],
    ['n + 1', '725653563933458434'],
    ['v[2] - 1', '725653563933458432'],
    ['m[1, 1] * 10', '90071992547409930'],
    ['9007199254740991', 9007199254740991],
  ])('gives the integer %s with all its digits, as text if a double has fewer', async (expression, value) => {
    const n = '725653563933458433';
    const variables = { n, v: [1, n], m: [['9007199254740993']] };
    expect(await evaluate(expression, { variables })).toMatchObject({
      result: String(value),
      value,
      number: Number(value),
    });
  });

  it.each([
    ['1e16 / 3', '3.3333333333333e+15'],
    ['sqrt(2) * 1e20', '1.4142135623731e+20'],
    ['[2^64 + 1, 0.1 + 0.2]', '[1.8446744073710e+19, 0.3]'],
  ])('rounds %s visibly', async (expression, result) => {
    expect(await evaluate(expression)).toMatchObject({ result });
  });

  it('keeps every digit in exact precision', async () => {
    expect(await evaluate('0.1 + 0.2', { precision: 'bignumber' })).toMatchObject({ value: '0.3' });
    expect(await evaluate('pi', { precision: 'bignumber' })).toMatchObject({
      result: '3.141592653589793238462643383279502884197169399375105820974944592',
    });
    expect(await evaluate('2^200', { precision: 'fraction' })).toMatchObject({
      result: '1606938044258990275541962092341162602522202993782792835301376',
    });
    expect(await evaluate('1/3 + 1/6', { precision: 'fraction' })).toMatchObject({
      result: '1/2',
      number: 0.5,
    });
    const variables = { x: '1.23456789012345678901234' };
    expect(await evaluate('2 x', { precision: 'bignumber', variables })).toMatchObject({
      result: '2.46913578024691357802468',
    });
  });

  it('accepts variables: numbers, vectors and matrices', async () => {
    const variables = {
      v: [1, 2, 3],
      m: [
        [2, 0],
        [0, 2],
      ],
      k: 10,
    };
    expect(await evaluate('sum(v) * det(m) + k', { variables })).toMatchObject({ number: 34 });
  });

  it('cannot parse text, change the library or reach JavaScript', async () => {
    const escapes = [
      'evaluate("1")',
      'parse("1")',
      'compile("1")',
      'parser()',
      'simplify("x")',
      'derivative("x", "x")',
      'import({})',
      'createUnit("foo")',
      'config({})',
      'reviver()',
      'chain(1)',
      'typed("f", {})',
      'resolve("x")',
      'map(["1"], evaluate)',
      'sin.constructor("return process")()',
      '{}.constructor',
      'cos["constructor"]',
      '"".toString.constructor',
      '{}.__proto__',
      'f(x) = x.constructor; f(1)',
      'process',
      'globalThis',
      'require("fs")',
    ];
    for (const expression of escapes)
      await expect(evaluate(expression), expression).rejects.toThrow(/^expression: /);
    expect(await evaluate('2 + 2')).toMatchObject({ number: 4 });
  });

  it('survives expressions that need too much memory', async () => {
    await expect(evaluate('zeros(2e4, 2e4)')).rejects.toThrow(/^This needs more than/);
    expect(await evaluate('1 + 1')).toMatchObject({ number: 2 });
  });

  it('has no templates that read inherited properties', async () => {
    await expect(evaluate('print("$a.constructor", {a: 1})')).rejects.toThrow('print is not available');
  });

  it('reports errors with a clear message', async () => {
    await expect(evaluate('2 +')).rejects.toThrow(/^expression: /);
    await expect(evaluate('x + 1')).rejects.toThrow('expression: Undefined symbol x.');
    await expect(evaluate('f(x) = x')).rejects.toThrow('the result is a function');
    await expect(evaluate('sqrt(2)', { precision: 'fraction' })).rejects.toThrow('only rational arithmetic');
    await expect(evaluate('range(1, 3e4)')).rejects.toThrow('more than 100000 characters');
    expect(
      findSkill(tool, 'evaluate').input.safeParse({ expression: 'x', variables: { 'a b': 1 } }).success,
    ).toBe(false);
  });
});

describe('units', () => {
  it.each([
    [100, 'mile', 'km', 160.9344],
    [100, 'celsius', 'fahrenheit', 212],
    [5, '°C', '°F', 41],
    [300, 'K', 'C', 26.85],
    [60, 'mph', 'km/h', 96.56064],
    [10, 'knots', 'km/h', 18.52],
    [3, 'kilometres', 'Miles', 1.864113576712],
    [1, 'GB', 'MiB', 953.67431640625],
    [1, 'MB', 'KB', 1000],
    [2, 'kcal', 'kJ', 8.368],
    [1, 'F', 'uF', 1e6],
  ])('%d %s is %s', async (value, from, to, expected) => {
    expect(await convert(value, from, to)).toBe(expected);
  });

  it('names the field, and suggests a similar unit', async () => {
    await expect(convert(1, 'kilomter', 'm')).rejects.toThrow(
      /^from: unknown unit "kilomter".*Did you mean kilometer/,
    );
    await expect(convert(1, 'm', 'constructor')).rejects.toThrow(/^to: unknown unit "constructor"/);
    await expect(convert(1, 'kg', 'm')).rejects.toThrow('measure different quantities');
  });
});

describe('statistics', () => {
  it('agrees with the textbook', async () => {
    expect(await describeValues({ values: [2, 4, 4, 4, 5, 5, 7, 9] })).toMatchObject({
      count: 8,
      sum: 40,
      mean: 5,
      median: 4.5,
      mode: [4],
      min: 2,
      max: 9,
      range: 7,
      population_stdev: 2,
      variance: 32 / 7,
      regression: null,
    });
    expect(await describeValues({ values: [1, 2, 3, 4], quantiles: [0, 0.25, 1] })).toMatchObject({
      mode: [],
      quantiles: [
        { probability: 0, value: 1 },
        { probability: 0.25, value: 1.75 },
        { probability: 1, value: 4 },
      ],
    });
    expect(await describeValues({ values: [7] })).toMatchObject({ stdev: null, histogram: [{ count: 1 }] });
  });

  it('fits a line, and returns none if x is constant', async () => {
    const { regression } = await describeValues({ values: [1, 2, 3], y: [3, 5, 7] });
    expect(regression).toEqual({ slope: 2, intercept: 1, r: 1, r_squared: 1 });
    expect((await describeValues({ values: [1, 1], y: [1, 2] })).regression).toMatchObject({ slope: null });
    expect(findSkill(tool, 'statistics').input.safeParse({ values: [1, 2, 3], y: [1, 2] }).success).toBe(
      false,
    );
  });

  it('puts every value into exactly one bin, and keeps the mean between the extremes', async () => {
    const values = fc.array(fc.double({ min: -1e100, max: 1e100, noNaN: true }), {
      minLength: 1,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(values, fc.integer({ min: 1, max: 40 }), async (list, histogram_bins) => {
        const found = await describeValues({ values: list, histogram_bins });
        const bins = found.histogram as { count: number }[];
        expect(bins.reduce((sum, bin) => sum + bin.count, 0)).toBe(list.length);
        const slack = 1e-9 * Math.max(...list.map(Math.abs));
        expect(found.mean).toBeGreaterThanOrEqual(Math.min(...list) - slack);
        expect(found.mean).toBeLessThanOrEqual(Math.max(...list) + slack);
      }),
    );
  });

  it('loses no small value next to a large one', () => {
    expect(sumValues([1, 1e100, 1, -1e100])).toBe(2);
  });
});
