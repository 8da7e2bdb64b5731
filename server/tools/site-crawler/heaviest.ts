export const heaviest: [string, string, unknown][] = [
  ['site-crawler.crawl', 'a site whose pages are large', { url: 'https://example.com/heavy', max_pages: 3 }],
  ['site-crawler.sitemap', 'all that a site lists', { url: 'https://example.com/', max_urls: 5_000 }],
  ['site-crawler.check_links', 'the largest page', { url: 'https://example.com/heavy', max_links: 500 }],
];
