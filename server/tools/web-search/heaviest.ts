export const heaviest: [string, string, unknown][] = [
  ['web-search.search', 'the longest query', { query: '漢'.repeat(350), count: 20 }],
  [
    'web-search.search',
    'far too many sites',
    { query: 'x', sites: Array.from({ length: 200_000 }, () => 'a.b') },
  ],
];
