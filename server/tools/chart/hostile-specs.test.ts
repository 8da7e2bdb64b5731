import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shortenTimers } from '@/test/support/control-timers';
import { createFilesForTests } from '@/test/support/skill-fixtures';
import { temporaryFolder } from '@/test/support/temporary-folder';
import { render as renderHere } from './render-worker.mjs';
import { createChartCalls } from './testing/chart-calls';

const { call, renderSvg, drawInSharedWorker } = createChartCalls(await createFilesForTests());

describe('a hostile spec', () => {
  const bars = {
    mark: 'bar',
    encoding: { x: { field: 'a', type: 'nominal' }, y: { field: 'b', type: 'quantitative' } },
  };
  const chart = { type: 'bar', labels: ['One'], series: [{ values: [1] }] };

  it('loads no URL, file or picture', async () => {
    for (const url of [
      'http://127.0.0.1:1/rows.json',
      'file:///etc/passwd',
      'server/assets/samples/sales.csv',
    ])
      await expect(drawInSharedWorker({ ...bars, data: { url } })).rejects.toThrow(
        `spec: charts cannot load external data, and the spec references ${JSON.stringify(url)}`,
      );
    const url = `${process.cwd()}/server/assets/samples/logo.png`;
    const picture = { data: { values: [{}] }, mark: { type: 'image', url, width: 50, height: 50 } };
    await expect(call('render', { spec: picture })).rejects.toThrow('charts cannot load external data');
  });

  it.each([
    [true, { mark: 'point', encoding: { href: { value: 'https://example.com/' } } }],
    [true, { mark: 'point', encoding: { href: { field: 'u' } } }],
    [false, { mark: 'image', encoding: { url: { field: 'u' } } }],
  ])('has no address, and leaves no unhandled rejection for the next task', async (isLink, spec) => {
    const left: unknown[] = [];
    const note = (reason: unknown) => left.push(reason);
    process.on('unhandledRejection', note);
    const output = join(await temporaryFolder(), 'chart.svg');
    const drawing = { output, format: 'svg', scale: 1, theme: 'light' } as const;
    const data = { values: [{ u: 'https://example.com/' }] };
    const answer = await renderHere({ ...drawing, spec: { data, ...spec } });
    // Node reports unhandled rejections once the microtask queue is empty.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    const warnings = [expect.stringContaining('Links of marks were left out')];
    expect(answer).toMatchObject(
      isLink
        ? { ok: true, value: { warnings } }
        : { ok: false, message: expect.stringContaining('example.com') },
    );
    if (isLink) expect(await readFile(output, 'utf8')).not.toContain('href');
    expect(left).toEqual([]);
  });

  it.each([
    ["[].constructor.constructor('return 1')()"],
    ["''.constructor.constructor('return 1')()"],
    ['toString.constructor'],
    ["{'__proto__': datum}"],
    ["({'toString': 1})"],
    ['process.env'],
    ["globalThis.process.mainModule.require('fs')"],
    ['eval("1")'],
    ['Function("return 1")'],
  ])('gives an expression access to the data only: %s', async (expr) => {
    const spec = {
      data: { values: [{ a: 1 }] },
      transform: [{ calculate: `'<' + (${expr}) + '>'`, as: 'c' }],
      mark: 'text',
      encoding: { text: { field: 'c', type: 'nominal' } },
    };
    const svg = await drawInSharedWorker(spec).catch((error) => String(error));
    expect(svg).toMatch(/Error: spec: (cannot be drawn|\S+ uses a name)|&lt;undefined&gt;/);
  });

  /**
   * Reaches the Function constructor by a path, and calls it as a scale inherited from a real one.
   */
  const compiling = (field: string) => ({
    $schema: 'https://vega.github.io/schema/vega/v6.json',
    width: 400,
    height: 50,
    scales: [{ name: 'x', type: 'linear', domain: [0, 1], range: [0, 1] }],
    signals: [
      { name: 'fn', update: field },
      { name: 'list', update: '[fn]' },
    ],
    data: [{ name: 'seed', values: [{ k: 1 }] }],
    marks: [
      { type: 'symbol', name: 'm1', from: { data: 'seed' }, encode: { enter: { k: { value: 1 } } } },
      {
        type: 'group',
        from: { facet: { data: 'm1', name: 'f', groupby: 'datum.k' } },
        data: [
          {
            name: 'd1',
            values: { signal: 'list' },
            transform: [
              {
                type: 'formula',
                as: '__proto__',
                expr: "peek(pluck(data('f'),'mark.group.context.scales.x.value'))",
              },
            ],
          },
          {
            name: 'd2',
            source: 'f',
            transform: [
              { type: 'project', fields: ['datum.k'], as: ['k'] },
              { type: 'formula', as: 'n', expr: "length(data('d1'))" },
              { type: 'formula', as: 'valueOf', expr: "scale(fn, 'return 6 * 111')" },
              { type: 'formula', as: 'out', expr: "''+datum" },
            ],
          },
        ],
        marks: [{ type: 'text', from: { data: 'd2' }, encode: { enter: { text: { field: 'out' } } } }],
      },
    ],
  });

  it('prevents specs from reaching code and from changing the process of another call @F17', async () => {
    const spec = compiling("pluck(0,'constructor.constructor')");
    await expect(call('render', { spec, format: 'svg' })).rejects.toThrow(/uses a name that is not allowed/);
    const config = { hasOwnProperty: { call: 'x' }, toString: { call: 'x' } };
    const poisoned = { mark: 'point', data: { values: [{ a: 1 }] }, config };
    await expect(call('render', { spec: poisoned, format: 'svg' })).rejects.toThrow(
      /uses a name that is not allowed/,
    );
    const path = "pluck(0,'construct'+'or.construct'+'or')";
    const signals = [{ name: 'fn', update: path }];
    const marks = [{ type: 'text', encode: { enter: { text: { signal: "'<'+fn+'>'" } } } }];
    const found = await renderSvg('render', {
      spec: { ...compiling(path), data: [], scales: [], signals, marks },
    });
    expect(found).not.toContain('native code');
    expect(await call('quick_chart', chart)).toMatchObject({ format: 'png' });
  });

  it('ends a spec that runs without end', async () => {
    shortenTimers(20_000);
    const spec = {
      data: { sequence: { start: 0, stop: 1e9, as: 'a' } },
      mark: 'point',
      encoding: { x: { field: 'a', type: 'quantitative' } },
    };
    await expect(call('render', { spec })).rejects.toThrow(/needs more than/);
  });
});
