import { describe, expect, it } from 'vitest';
import { createFilesForTests } from '@/test/support/skill-fixtures';
import { createChartCalls } from './testing/chart-calls';

const files = await createFilesForTests();
const { call, renderSvg, drawInSharedWorker } = createChartCalls(files);

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

  it('reads a CSV as the data tool does', async () => {
    const rows = 'code;day;v\n007;31.12.2025;1.234,5\n92055901755477000012;1.2.2026;2\n';
    const data = await files.add('rows.csv', Buffer.from(rows));
    const words = { field: 'code', type: 'nominal' };
    const dots = { mark: 'text', encoding: { y: { ...words, title: null }, text: { field: 'v' } } };
    const { warnings } = await render(dots, { data });
    expect(warnings.join()).toMatch(/"day" is text.*Pass dates.*"v" is text.*decimal: "," and thousands/);
    const x = { field: 'day', type: 'temporal', axis: { format: '%-d %B' } };
    const read = { ...dots, encoding: { ...dots.encoding, x, text: { field: 'v', format: ',.2f' } } };
    const reading = { decimal: ',', thousands: '.', dates: 'dmy' };
    const svg = await renderSvg('render', { spec: read, data, data_options: reading });
    for (const shown of ['007', '92055901755477000012', '1,234.50', '2.00', '1 February'])
      expect(svg).toContain(`>${shown}</text>`);
    const text = { signal: "isNumber(datum.day) ? utcFormat(datum.day, '%Y-%m-%d') : 'text'" };
    const marks = [{ type: 'text', from: { data: 'data' }, encode: { enter: { text } } }];
    const drawn = await renderSvg('render', { spec: { marks }, data, data_options: reading });
    expect(drawn).toContain('>2025-12-31</text>');
  });

  it('reads a file in UTF-16 or windows-1252, and names the charset that it assumed', async () => {
    const utf16 = await files.add('rows', Buffer.from('\uFEFFa,b\nZoë €,1\n', 'utf16le'));
    expect(await drawInSharedWorker(bars, { data: utf16 })).toContain('>Zoë €</text>');
    expect((await render(bars, { data: utf16 })).warnings).toEqual([]);
    const legacy = await files.add('rows', Buffer.from('a;b\nZo\xeb \x80;1\n', 'latin1'));
    expect(await drawInSharedWorker(bars, { data: legacy })).toContain('>Zoë €</text>');
    expect((await render(bars, { data: legacy })).warnings).toEqual([
      expect.stringContaining('windows-1252 was assumed'),
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

  it('allows any words in titles and data', async () => {
    const spec = {
      title: 'The constructor of the year',
      data: { values: [{ team: 'constructor', points: 3 }] },
      mark: 'bar',
      encoding: { x: { field: 'team', type: 'nominal' }, y: { field: 'points', type: 'quantitative' } },
    };
    expect(await renderSvg('render', { spec })).toContain('The constructor of the year');
  });
});
