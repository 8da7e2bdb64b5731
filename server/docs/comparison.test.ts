import { expect, it } from 'vitest';
import { findComparison, listComparisons } from './comparison';
import { plainText } from './parse-markdown';

const runtime = { settings: { baseUrl: 'https://gateway.example.com' } };

it('every product of the comparison guide has rows with a verdict and a source in each', async () => {
  const links = await listComparisons(runtime);
  expect(links.map(({ name }) => name)).toEqual(['OpenRouter', 'LiteLLM', 'Portkey', 'Composio', 'Apify']);
  for (const { slug, name, features, documented } of links) {
    const comparison = await findComparison(runtime, slug);
    expect(comparison?.rows).toHaveLength(features);
    expect(documented).toBeLessThan(features);
    for (const { feature, theirs } of comparison?.rows ?? []) {
      expect(
        theirs.text.some(({ kind }) => kind === 'link'),
        `${name}: ${plainText(feature)} has no source`,
      ).toBe(true);
      expect(plainText(theirs.text)).not.toMatch(/^[\s:,;]/);
    }
    expect(comparison?.others).toHaveLength(links.length - 1);
    expect(comparison?.ahead.length, `where ${name} is ahead`).toBeGreaterThan(0);
    // A claim about another product is only as good as its date.
    expect(comparison?.read_on).toMatch(/^\d{1,2} \w{3,4} 20\d\d$/);
    expect(plainText(comparison?.sources ?? [])).toMatch(new RegExp(`^${name}: .*20\\d\\d`));
  }
});

it('an unknown product has no comparison', async () => {
  expect(await findComparison(runtime, 'no-such-product')).toBeNull();
});
