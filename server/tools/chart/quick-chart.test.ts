import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createFilesForTests } from '@/test/support/skill-fixtures';
import { createChartCalls } from './testing/chart-calls';

const { call, readBytes, renderSvg } = createChartCalls(await createFilesForTests());
const quick = async (input: Record<string, unknown>) => await call('quick_chart', input);
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
