import type { Tool } from '@/server/catalog/tools/schema';

/** The tool as schema.org says it, for search engines: with its stars where there are reviews. */
export function ToolJsonLd({ tool, baseUrl }: { tool: Tool; baseUrl: string }) {
  const { average, count } = tool.rating;
  const prices = tool.skills.map(({ pricing }) => (pricing.free ? 0 : pricing.price_usd));
  const data = {
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    name: tool.displayName,
    description: tool.subtitle,
    url: `${baseUrl}/tools/${encodeURIComponent(tool.name)}`,
    applicationCategory: 'DeveloperApplication',
    operatingSystem: 'Any',
    softwareVersion: tool.version,
    offers: { '@type': 'Offer', price: String(Math.min(...prices)), priceCurrency: 'USD' },
    aggregateRating:
      average !== null && count > 0
        ? {
            '@type': 'AggregateRating',
            ratingValue: average,
            ratingCount: count,
            bestRating: 5,
            worstRating: 1,
          }
        : undefined,
  };
  // A data block is never run, so the page's policy has nothing to say about it; a tag in a text must not end it.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON without any tag
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
