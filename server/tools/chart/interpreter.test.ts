import * as vega from 'vega';
import { describe, expect, it } from 'vitest';
import { interpreter } from './interpreter.mjs';

/** Evaluates an expression as a signal, with Vega's generated code or with the interpreter. */
async function evaluateSignal(expression: string, interpreted: boolean): Promise<unknown> {
  const spec: vega.Spec = {
    width: 200,
    height: 100,
    data: [
      {
        name: 'table',
        values: [
          { a: 1, b: 'x' },
          { a: 5, b: 'y' },
        ],
      },
    ],
    scales: [{ name: 'x', type: 'linear', domain: { data: 'table', field: 'a' }, range: 'width' }],
    signals: [
      { name: 'n', value: 7 },
      { name: 'list', value: [3, 1, 2] },
      { name: 'thing', value: { name: 'Ada', parts: [{ size: 4 }] } },
      { name: 'result', update: expression },
    ],
  };
  const runtime = interpreted ? vega.parse(spec, undefined, { ast: true } as object) : vega.parse(spec);
  // `expr` is missing from Vega's types.
  const options = { renderer: 'none', ...(interpreted ? { expr: interpreter } : {}) } as vega.ViewOptions;
  const view = await new vega.View(runtime, options).runAsync();
  return view.signal('result');
}

describe('interpreter', () => {
  it.each([
    '1 + 2 * 3 - n / 2 % 4',
    "'a' + n + null",
    'n > 3 && n < 5 || !n',
    'n ? "yes" : "no"',
    "if(n === 7, 'seven', 'other')",
    '(n & 3) | (1 << 4) ^ ~2',
    '-n + +"3" >>> 1',
    '1 == "1" && 1 !== "1"',
    'list[1] + list.length + length(list)',
    "thing.parts[0]['size'] + thing.name.length",
    'thing.nothing',
    '[n, [1], {"a": n, b: 2}]',
    'clamp(n, 0, 5) + abs(-2) + max(1, n) + pow(2, 3) + round(PI) + hypot(3, 4)',
    "upper('a') + lower('B') + substring('abcdef', 1, 3) + trim('  x ') + split('a-b', '-')[1]",
    "replace('aXa', /a/g, 'b') + test(/x/i, 'aXa') + isRegExp(regexp('b+'))",
    "format(1234.567, ',.2f') + timeFormat(datetime(2026, 1, 3), '%Y-%m-%d')",
    "year(datetime(2026, 4, 5)) + month('2026-05-06') + utchours(utc(2026, 0, 1, 7))",
    'sort(list)',
    'reverse(slice(list, 1))',
    "join(pluck(data('table'), 'b'), '+')",
    "scale('x', 3) + invert('x', 100) + domain('x')[1] + bandwidth('x')",
    "isValid(null) + isNumber(n) + isArray(list) + toNumber('4') + toString(5)",
    "parseInt('12px') + parseFloat('1.5') + isNaN(NaN) + isFinite(n)",
    'indexof(list, 2) + inrange(n, [0, 10]) + span([1, 9]) + extent(list)[1]',
    'merge({a: 1}, {b: 2})',
    "encodeURIComponent('a b') + btoa('x') + atob('eA==')",
  ])('gives the same result as Vega: %s', async (expression) => {
    const expected = await evaluateSignal(expression, false);
    expect(await evaluateSignal(expression, true)).toEqual(expected);
  });

  it('draws the same picture as Vega: stacks, spans, text and a legend', async () => {
    const spec: vega.Spec = {
      width: 100,
      height: 60,
      data: [
        {
          name: 'table',
          values: [
            { k: 'a', v: 1, g: 'p' },
            { k: 'a', v: 2, g: 'q' },
            { k: 'b', v: 3, g: 'p' },
          ],
          transform: [
            { type: 'stack', groupby: ['k'], field: 'v' },
            { type: 'formula', as: 'label', expr: "datum.k + ':' + format(datum.v, '.1f')" },
          ],
        },
      ],
      scales: [
        { name: 'x', type: 'band', domain: { data: 'table', field: 'k' }, range: 'width' },
        { name: 'y', domain: { data: 'table', field: 'y1' }, range: 'height', nice: true },
        { name: 'c', type: 'ordinal', domain: { data: 'table', field: 'g' }, range: 'category' },
      ],
      axes: [
        { scale: 'x', orient: 'bottom' },
        { scale: 'y', orient: 'left' },
      ],
      legends: [{ fill: 'c' }],
      marks: [
        {
          type: 'rect',
          from: { data: 'table' },
          encode: {
            enter: {
              x: { scale: 'x', field: 'k' },
              width: { scale: 'x', band: 1 },
              y: { scale: 'y', field: 'y0' },
              y2: { scale: 'y', field: 'y1' },
              fill: { scale: 'c', field: 'g' },
            },
          },
        },
        {
          type: 'text',
          from: { data: 'table' },
          encode: {
            enter: {
              xc: { scale: 'x', field: 'k' },
              text: { field: 'label' },
              angle: { signal: 'datum.v * 10' },
            },
          },
        },
      ],
    };
    const drawn = async (interpreted: boolean) => {
      const runtime = interpreted ? vega.parse(spec, undefined, { ast: true } as object) : vega.parse(spec);
      const options = { renderer: 'none', ...(interpreted ? { expr: interpreter } : {}) } as vega.ViewOptions;
      return await new vega.View(runtime, options).toSVG();
    };
    const expected = await drawn(false);
    expect(expected).toContain('a:1.0');
    expect(await drawn(true)).toBe(expected);
  });
});
