export const heaviest: [string, string, unknown][] = [
  ['web-reader.read', 'the largest page', { url: 'https://example.com/heavy', max_characters: 500_000 }],
  ['web-reader.metadata', 'the largest page', { url: 'https://example.com/heavy' }],
  ['web-reader.fetch', 'the largest JSON that is parsed', { url: 'https://example.com/heavy.json' }],
  ['web-reader.fetch', 'the largest text', { url: 'https://example.com/heavy.txt' }],
  ['web-reader.fetch', 'the longest search for a charset', { url: 'https://example.com/heavy-head' }],
];
