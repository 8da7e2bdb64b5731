const createList = <Item>(length: number, item: (at: number) => Item) =>
  Array.from({ length }, (_, at) => item(at));
const sales = { file: 'asset_sample_sales' };

/** The heaviest inputs within a 1 MiB body, for calls/attempt-call.blocking.test.ts. */
export const heaviest: [string, string, unknown][] = [
  [
    'data.query',
    'the most values a result may have',
    {
      files: [sales],
      sql: `SELECT ${createList(90, (at) => `range AS c${at}`).join(', ')} FROM range(1000)`,
      limit: 1_000,
    },
  ],
  [
    'data.query',
    'long texts',
    { files: [sales], sql: "SELECT repeat('x', 1900) AS x FROM range(1000)", limit: 1_000 },
  ],
  ['data.profile', 'a table', { ...sales, top_values: 20 }],
  ['data.convert', 'a table', { ...sales, to: 'json' }],
  [
    'data.validate',
    'a list of a hundred thousand numbers',
    { schema: { items: { type: 'string' } }, data: createList(100_000, () => 1), max_errors: 100 },
  ],
  [
    'data.validate',
    'a schema of very many fields',
    { schema: Object.fromEntries(createList(10_000, (at) => [`v${at}`, {}])), data: 1 },
  ],
];
