const numbers = (count: number) => Array.from({ length: count }, (_, at) => at % 1_000);

/** The inputs that occupy the gateway's main thread longest; workers do the drawing. */
export const heaviest: [string, string, unknown][] = [
  [
    'chart.quick_chart',
    'as many points as there can be',
    {
      type: 'histogram',
      series: Array.from({ length: 12 }, () => ({ values: numbers(5_000), x: numbers(5_000) })),
    },
  ],
  ['chart.quick_chart', 'far too many points', { type: 'histogram', series: [{ values: numbers(240_000) }] }],
  [
    'chart.quick_chart',
    'text for numbers',
    { type: 'histogram', series: [{ values: numbers(5_000).map(String) }] },
  ],
  [
    'chart.render',
    'many rows in the spec',
    {
      spec: {
        data: { values: numbers(45_000).map((a) => ({ a })) },
        mark: 'bar',
        encoding: { x: { field: 'a', bin: true }, y: { aggregate: 'count' } },
      },
    },
  ],
  ['chart.render', 'a deep spec', { spec: JSON.parse('{"layer":['.repeat(3_000) + ']}'.repeat(3_000)) }],
];
