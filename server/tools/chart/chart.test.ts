import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { runInWorker } from '../../platform/workers/cpu-pool';
import { shortenTimers } from '../../testing/control-timers';
import { createFilesForTests } from '../../testing/skill-fixtures';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { runSkill } from '../sdk/skill-harness';
import { tool } from '.';
import type * as worker from './render-worker.mjs';
import { render as renderHere } from './render-worker.mjs';

const files = await createFilesForTests();

const call = async (skill: string, input: Record<string, unknown>) =>
  (await runSkill(tool, skill, input, { files })).output;
const readBytes = async (output: { asset: { asset_id: string } }) =>
  await files.readBytes(output.asset.asset_id);
const quick = async (input: Record<string, unknown>) => await call('quick_chart', input);
const renderSvg = async (skill: string, input: Record<string, unknown>) =>
  (await readBytes(await call(skill, { ...input, format: 'svg' }))).toString();
/** Draws a spec as `chart.render` does, but in a worker that then runs further tasks. */
async function drawInSharedWorker(
  spec: Record<string, unknown>,
  { data, format = 'svg' }: { data?: string; format?: 'svg' | 'png' } = {},
): Promise<string> {
  const output = await files.scratch();
  const rows = data && (await files.open(data, { maxBytes: 1024 * 1024 })).path;
  const drawing = { output, format, scale: 1, theme: 'light' } as const;
  const payload = { ...drawing, spec, ...(rows === undefined ? {} : { data: rows }) };
  const { signal } = new AbortController();
  const module = 'server/tools/chart/render-worker.mjs';
  acceptOrRefuse(await runInWorker<typeof worker.renderLast>(module, 'renderLast', payload, { signal }));
  return await readFile(output, 'utf8');
}
const labels = ['One', 'Two', 'Three'];
const series = [{ values: [1, 2, 3] }];

describe('quick_chart', () => {
  const inputs: Record<string, Record<string, unknown>> = {
    bar: { labels, series },
    line: { labels, series },
    area: { labels, series },
    pie: { labels, series },
    donut: { labels, series },
    scatter: { series: [{ values: [1, 2, 3], x: [4, 5, 6] }] },
    histogram: { series: [{ values: [1, 2, 2, 3, 3, 3] }] },
  };
  it.each(Object.keys(inputs))(
    'draws a %s as a PNG of the requested size, without warnings',
    async (type) => {
      const output = await quick({
        type,
        ...inputs[type],
        title: 'Title & more',
        width: 400,
        height: 300,
        scale: 1.5,
      });
      expect(output).toMatchObject({ width: 600, height: 450, format: 'png', warnings: [] });
      expect(output.asset.filename).toBe('title-more.png');
      const picture = sharp(await readBytes(output));
      expect(await picture.metadata()).toMatchObject({ format: 'png', width: 600, height: 450 });
      // The picture is not blank: it contains the first colour of the palette.
      const data = await picture.removeAlpha().raw().toBuffer();
      expect(data.some((blue, at) => at % 3 === 2 && blue - (data[at - 2] ?? 0) > 120)).toBe(true);
    },
  );

  it('renders titles, labels and a legend as text of an SVG', async () => {
    const two = [
      { name: 'Plan', values: [1, 2, 3] },
      { name: 'Real', values: [3, 2, 1] },
    ];
    const svg = await renderSvg('quick_chart', {
      type: 'bar',
      labels,
      series: two,
      title: 'A < B',
      x_title: 'Step',
      y_title: 'Cost',
    });
    for (const text of ['A &lt; B', 'Step', 'Cost', 'One', 'Two', 'Three', 'Plan', 'Real'])
      expect(svg).toContain(`>${text}</text>`);
  });

  it('renders integers in full, and abbreviates them from a million on', async () => {
    const small = [{ values: [48_200, 17_900, 0.30000000000000004] }];
    const svg = await renderSvg('quick_chart', { type: 'bar', labels, series: small, show_values: true });
    for (const text of ['48,200', '17,900', '0.3']) expect(svg).toContain(`>${text}</text>`);
    const large = [{ values: [1e9, 2e9, 3e9] }];
    expect(await renderSvg('quick_chart', { type: 'bar', labels, series: large })).toContain('>2.5B</text>');
  });

  it('draws a time axis for dates', async () => {
    const dates = ['2026-01-01', '2026-02-01', '2026-12-01'];
    const svg = await renderSvg('quick_chart', { type: 'line', labels: dates, series });
    expect(svg).not.toContain('2026-02-01</text>');
    expect(svg).toMatch(/>(March|Mar|April|May|July)<\/text>/);
  });

  const LONG = 'Ministry for Economic Affairs and Climate Action of the Federal Republic';
  const names = [LONG, 'Federal Chancellery', 'Foreign Office'];
  /** Width and height of the plot, without axes, title and legend. */
  const readPlot = (svg: string) =>
    (/class="background" aria-hidden="true" d="M0,0h([\d.]+)v([\d.]+)/.exec(svg) ?? []).slice(1).map(Number);

  it.each([
    ['bar', {}, 600, 200],
    ['line', {}, 600, 200],
    ['bar', { horizontal: true }, 350, 300],
    ['pie', {}, 300, 300],
  ])('leaves the plot of a %s its room if labels are cut, and says which are', async (type, more, x, y) => {
    const input = { type, labels: names, series, title: 'Budget', ...more };
    const { warnings } = await quick({ ...input, scale: 1 });
    expect(warnings).toEqual([
      expect.stringMatching(/^Texts were cut to fit: “Ministry for .*…”\. Make the/),
    ]);
    const [width = 0, height = 0] = readPlot(await renderSvg('quick_chart', input));
    expect([width > x, height > y]).toEqual([true, true]);
  });

  it('keeps a pie within its picture, whatever its size', async () => {
    for (const [width, height] of [
      [720, 420],
      [400, 300],
      [150, 120],
    ] as const) {
      const output = await quick({
        type: 'pie',
        labels: names,
        series,
        title: 'Budget',
        width,
        height,
        scale: 1,
      });
      const { data } = await sharp(await readBytes(output))
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const isWhite = (x: number, y: number) => (data[3 * (y * width + x)] ?? 0) > 250;
      for (let y = 0; y < height; y += 1)
        expect([isWhite(1, y), isWhite(width - 2, y)]).toEqual([true, true]);
    }
  });

  it('wraps titles that are longer than the picture, and cuts them only if they take too many lines', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');
    const input = { type: 'bar', labels, series, title: words(24), subtitle: words(24), x_title: words(20) };
    expect((await quick({ ...input, y_title: words(14) })).warnings).toEqual([]);
    const svg = await renderSvg('quick_chart', input);
    for (let at = 0; at < 24; at += 1) expect(svg).toMatch(new RegExp(`word${at}[ <]`));
    expect((await quick({ ...input, width: 300, height: 250 })).warnings).toEqual([
      expect.stringContaining('Texts were cut to fit: “word'),
    ]);
    const title = '売上'.repeat(60);
    expect((svg.match(/<tspan|<text/g) ?? []).length).toBeGreaterThan(6);
    expect(await renderSvg('quick_chart', { type: 'bar', labels, series, title })).not.toContain('…');
  });

  it('puts a legend with many names in rows, within the picture', async () => {
    const many = Array.from({ length: 12 }, (_, at) => ({
      name: `Series with a name ${at}`,
      values: [1, 2, 3],
    }));
    expect((await quick({ type: 'line', labels, series: many })).warnings).toEqual([]);
    expect(await renderSvg('quick_chart', { type: 'line', labels, series: many })).toContain(
      '>Series with a name 11<',
    );
  });

  it.each([
    [
      ['2026-01', '2026-02', '2026-03'],
      ['2026', 'February', 'March'],
    ],
    [
      ['2026-01-01', '2026-02-01', '2026-03-01'],
      ['2026', 'February', 'March'],
    ],
    [
      ['2026-01-30', '2026-01-31', '2026-02-01'],
      ['Fri 30', 'Sat 31', 'February'],
    ],
    [
      ['2024-01', '2025-01', '2026-01'],
      ['2024', '2025', '2026'],
    ],
    [
      ['2026-01-30T00:00', '2026-01-30T12:00Z', '2026-01-31T00:00'],
      ['Fri 30', '12 PM', 'Sat 31'],
    ],
  ])('has no finer ticks than the dates %j, in UTC', async (dates, ticks) => {
    const svg = await renderSvg('quick_chart', { type: 'line', labels: dates, series });
    const axis =
      /aria-roledescription="axis" aria-label="X-axis[\s\S]*?role-axis-title|aria-label="X-axis[\s\S]*/.exec(
        svg,
      )?.[0] ?? '';
    const found = [...(axis.split('aria-label="Y-axis')[0] ?? '').matchAll(/>([^<]+)<\/text>/g)].map(
      ([, text]) => text,
    );
    if (dates[0]?.includes('T')) expect(found).toEqual(expect.arrayContaining(ticks));
    else expect(found).toEqual(ticks);
  });

  it('takes dates that do not exist for names', async () => {
    const svg = await renderSvg('quick_chart', {
      type: 'line',
      labels: ['2026-12', '2026-13', '2026-14'],
      series,
    });
    expect(svg).toContain('>2026-13</text>');
  });

  it('names the characters that a PNG cannot show, and not for an SVG', async () => {
    // Private characters, which no font of any machine has.
    const title = 'Ein \u{10fff0}\u{10fff1} Grüße';
    const [warning, ...others] = (await quick({ type: 'bar', labels, series, title })).warnings;
    expect(others).toEqual([]);
    expect(warning).toContain('shows as boxes: \u{10fff0}\u{10fff1}. Use format svg');
    expect((await quick({ type: 'bar', labels, series, title, format: 'svg' })).warnings).toEqual([]);
  });

  it('names the invalid field', async () => {
    const bad: [Record<string, unknown>, string][] = [
      [
        { type: 'bar', labels, series: [{ values: [1] }] },
        'series.0.values: there are 1 values for 3 labels.',
      ],
      [{ type: 'bar', series }, 'labels: a bar chart needs one label for each value.'],
      [{ type: 'scatter', series }, 'series.0.x: a scatter chart needs one x for each of the 3 values.'],
      [{ type: 'pie', labels, series: [...series, ...series] }, 'series: a pie chart shows one series.'],
      [
        { type: 'pie', labels, series: [{ values: [1, -2, 3] }] },
        'series.0.values: a pie chart cannot show negative values',
      ],
      [{ type: 'pie', labels, series: [{ values: [0, 0, null] }] }, 'series.0.values: every value is zero'],
    ];
    for (const [input, words] of bad) await expect(quick(input)).rejects.toThrow(words);
    const many = Array.from({ length: 13 }, () => 1);
    await expect(
      quick({ type: 'pie', labels: many.map(String), series: [{ values: many }] }),
    ).rejects.toThrow('at most 12 slices');
    await expect(quick({ type: 'bar', labels, series, width: 4000, height: 4000, scale: 4 })).rejects.toThrow(
      'scale: the picture would have 16000 × 16000 pixels',
    );
  });
});

describe('render', () => {
  const bars = {
    mark: 'bar',
    encoding: { x: { field: 'a', type: 'nominal' }, y: { field: 'b', type: 'quantitative' } },
  };
  const render = async (spec: object, more: object = {}) => await call('render', { spec, ...more });

  it('draws rows of a CSV with any delimiter, and of a JSON file', async () => {
    for (const text of ['a,b\nfirst,1\n', 'a;b\nfirst;1\n', 'a\tb\nfirst\t1\n', '[{"a":"first","b":1}]']) {
      const data = await files.add('rows', Buffer.from(text));
      expect(await drawInSharedWorker(bars, { data })).toContain('>first</text>');
    }
    expect(
      await renderSvg('render', {
        spec: bars,
        data: await files.add('rows', Buffer.from('a,b\nsecond,2\n')),
      }),
    ).toContain('>second</text>');
    const empty = await files.add('rows', Buffer.from('[]'));
    await expect(drawInSharedWorker(bars, { data: empty })).rejects.toThrow('data: must be a CSV');
    await expect(render(bars, { data: 'asset_sample_photo' })).rejects.toThrow(/^data: /);
  });

  it('reads a file in UTF-16 or windows-1252, and names the charset that it assumed', async () => {
    const utf16 = await files.add('rows', Buffer.from('\uFEFFa,b\nZoë €,1\n', 'utf16le'));
    expect(await drawInSharedWorker(bars, { data: utf16 })).toContain('>Zoë €</text>');
    expect((await render(bars, { data: utf16 })).warnings).toEqual([]);
    const legacy = await files.add('rows', Buffer.from('a;b\nZo\xeb \x80;1\n', 'latin1'));
    expect(await drawInSharedWorker(bars, { data: legacy })).toContain('>Zoë €</text>');
    expect((await render(bars, { data: legacy })).warnings).toEqual([
      expect.stringContaining('was read as windows-1252'),
    ]);
  });

  it('draws a Vega spec with signals, scales and a data file', async () => {
    const spec = {
      $schema: 'https://vega.github.io/schema/vega/v6.json',
      width: 100,
      height: 50,
      data: [
        { name: 'sums', source: 'data', transform: [{ type: 'formula', as: 'c', expr: 'datum.b * factor' }] },
      ],
      signals: [{ name: 'factor', update: 'width / 50' }],
      scales: [{ name: 'x', domain: { data: 'sums', field: 'c' }, range: 'width', zero: true }],
      axes: [{ scale: 'x', orient: 'bottom' }],
      marks: [
        {
          type: 'text',
          from: { data: 'sums' },
          encode: { enter: { text: { signal: "'got ' + format(datum.c, '.1f')" } } },
        },
      ],
    };
    const data = await files.add('rows.csv', Buffer.from('a,b\nfirst,21\n'));
    expect(await renderSvg('render', { spec, data })).toContain('>got 42.0</text>');
  });

  it('warns of a chart that is larger than its picture', async () => {
    const spec = { ...bars, data: { values: [{ a: 'x', b: 1 }] }, autosize: 'fit', width: 300, height: 200 };
    expect((await render(spec)).warnings).toEqual([]);
    expect((await render({ ...spec, title: 'long '.repeat(30) })).warnings).toEqual([
      expect.stringContaining('outside of the picture'),
    ]);
  });

  it('prefers the width of the input to that of the spec', async () => {
    const spec = { ...bars, width: 300, data: { values: [{ a: 'x', b: 1 }] } };
    const narrow = await render(spec, { width: 100, scale: 1 });
    expect((await render(spec, { scale: 1 })).width - narrow.width).toBe(200);
  });

  it('reports why a spec is invalid', async () => {
    const png = { format: 'png' } as const;
    await expect(render({})).rejects.toThrow(/^spec: cannot be drawn/);
    const nonsense = { mark: 'bar', encoding: { x: { field: 'a', type: 'nonsense' } } };
    await expect(drawInSharedWorker(nonsense, png)).rejects.toThrow(
      'spec: cannot be drawn. Invalid field type',
    );
    const upsideDown = { ...bars, data: { values: [{ a: 'x', b: 1 }] }, height: -1e64 };
    await expect(drawInSharedWorker(upsideDown, png)).rejects.toThrow(/^spec: cannot be drawn/);
    const control = { ...bars, data: { values: [{ a: '\u0001', b: 1 }] } };
    await expect(drawInSharedWorker(control, png)).rejects.toThrow(/^spec: cannot be drawn/);
    const wrong = { ...bars, data: { values: [] }, transform: [{ calculate: 'datum.', as: 'c' }] };
    await expect(drawInSharedWorker(wrong, png)).rejects.toThrow(/^spec: cannot be drawn/);
  });

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
    await expect(render(picture)).rejects.toThrow('charts cannot load external data');
  });

  it.each([
    ['href', { mark: 'point', encoding: { href: { value: 'https://example.com/' } } }],
    ['href', { mark: 'point', encoding: { href: { field: 'u' } } }],
    ['url', { mark: 'image', encoding: { url: { field: 'u' } } }],
  ])('refuses a mark with %s without leaving an unhandled rejection for the next task', async (_, spec) => {
    const left: unknown[] = [];
    const note = (reason: unknown) => left.push(reason);
    process.on('unhandledRejection', note);
    const drawing = { output: '/nowhere', format: 'svg', scale: 1, theme: 'light' } as const;
    const data = { values: [{ u: 'https://example.com/' }] };
    const answer = await renderHere({ ...drawing, spec: { data, ...spec } });
    // Node reports unhandled rejections once the microtask queue is empty.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('example.com') });
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

  it('prevents specs from reaching code and from changing the process of another call', async () => {
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
    expect(await quick({ type: 'bar', labels, series })).toMatchObject({ format: 'png' });
  });

  it('allows any words in titles and data', async () => {
    const spec = {
      title: 'The constructor of the year',
      data: { values: [{ team: 'constructor', points: 3 }] },
      mark: 'bar',
      encoding: { x: { field: 'team', type: 'nominal' }, y: { field: 'points', type: 'quantitative' } },
    };
    expect(await renderSvg('render', { spec })).toContain('The constructor of the year');
  });

  it('ends a spec that runs without end', async () => {
    shortenTimers(20_000);
    const spec = {
      data: { sequence: { start: 0, stop: 1e9, as: 'a' } },
      mark: 'point',
      encoding: { x: { field: 'a', type: 'quantitative' } },
    };
    await expect(render(spec)).rejects.toThrow(/needs more than/);
  });
});
