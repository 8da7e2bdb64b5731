export const heaviest: [string, string, unknown][] = [
  [
    'scrape.scrape',
    'the longest address, in all formats',
    {
      url: `https://example.com/${'x'.repeat(2_000)}`,
      formats: ['markdown', 'html', 'links', 'screenshot'],
    },
  ],
];
