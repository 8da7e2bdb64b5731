import type { Tool } from '@/server/catalog/tools/schema';

/** The tool as schema.org JSON-LD for search engines, with its rating if it has reviews. */
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
  // A data block is not executed, so the CSP does not apply. Escape `<` so that text cannot close
  // the tag.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON with every < escaped
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
