import { z } from 'zod';
import { defineSkill } from '../sdk/define-tool';
import {
  costOfUnits,
  EXA_RESULTS_INCLUDED,
  highestCost,
  providerPrice,
  SEARCH_PRICES,
} from '../sdk/provider-prices';
import { SEARCH_PROVIDERS, type SearchProvider, searchers } from './providers';

const MAX_TITLE_CHARS = 300;
const MAX_SNIPPET_CHARS = 2_000;
const MAX_ANSWER_CHARS = 4_000;
const DOMAIN = /^(?=.{4,100}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/;

const input = z.object({
  query: z.string().trim().min(1).max(350).describe('Search query, at most 350 characters.'),
  count: z.int().min(1).max(20).default(10).describe('Number of results, 1 to 20; 10 by default.'),
  recency: z
    .enum(['day', 'week', 'month', 'year'])
    .optional()
    .describe('Only pages of the last day, week, month or year.'),
  sites: z
    .array(z.string().toLowerCase().regex(DOMAIN, 'Use a domain, such as example.com.'))
    .min(1)
    .max(10)
    .optional()
    .describe('Only pages of these sites: domains such as example.com, at most 10.'),
  country: z
    .string()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, 'Use a country code of two letters, such as DE.')
    .optional()
    .describe('Prefer results for this country: two letters, such as DE.'),
  language: z
    .string()
    .toLowerCase()
    .regex(/^[a-z]{2}$/, 'Use a language code of two letters, such as de.')
    .optional()
    .describe('Language of the results: two letters, such as de. Only Brave supports it.'),
  answer: z
    .boolean()
    .default(false)
    .describe('Whether to add a short written answer. Only Tavily supports it; false by default.'),
  provider: z
    .enum(SEARCH_PROVIDERS)
    .optional()
    .describe('Provider: tavily, brave or exa; by default a suitable one that has an API key.'),
});

const output = z.object({
  results: z
    .array(
      z.object({
        title: z.string().describe('Title of the page.'),
        url: z.string().describe('URL of the page.'),
        snippet: z.string().describe('Excerpt relevant to the query.'),
        published: z.string().nullable().describe('Publication time, ISO 8601; null if unknown.'),
        score: z
          .number()
          .nullable()
          .describe('Relevance from 0 to 1; null if the provider does not report it.'),
      }),
    )
    .describe('The pages found, best first.'),
  answer: z.string().nullable().describe('The written answer; null if not requested or not available.'),
  provider: z.enum(SEARCH_PROVIDERS).describe('The provider that searched.'),
});

type Request = z.infer<typeof input>;
interface Usage {
  slot: SearchProvider;
  results: number;
  credits?: number | undefined;
  costUsd?: number | undefined;
}

function getProvidersFor({ provider, answer, language }: Request): readonly SearchProvider[] {
  if (provider) return [provider];
  if (answer) return ['tavily'];
  return language ? ['brave', 'tavily', 'exa'] : SEARCH_PROVIDERS;
}

function costBy({ slot, results, credits = 1, costUsd }: Usage, rates: typeof SEARCH_PRICES): bigint {
  if (slot === 'tavily') return costOfUnits(credits, rates.tavily);
  if (slot === 'brave') return rates.brave;
  if (costUsd !== undefined) return costOfUnits(costUsd * 1e6, 1n);
  return rates.exa + costOfUnits(results - EXA_RESULTS_INCLUDED, rates.exaMoreResult);
}

export const search = defineSkill<Request, z.infer<typeof output>, Usage>({
  name: 'search',
  displayName: 'Web search',
  keywords:
    'google bing duckduckgo internet online look up lookup latest news recent current events today find websites pages facts information about company person research sources opening hours results who when where',
  description:
    'Searches the web and gives the pages found with title, address and an excerpt: look something up, find news, sources, documentation, a company, what people write about a topic, facts newer than a model knows. By Tavily, Brave or Exa, in one form. Can be narrowed to a time, to sites, a country or a language, and Tavily can write a short answer. At most 20 results. Priced by search.',
  input,
  output,
  returns: 'The pages found, best first, each with title, address, excerpt and date.',
  examples: [
    { description: 'Look something up', input: { query: 'how tall is the Eiffel tower', count: 5 } },
    {
      description: 'News of the last week on two sites',
      input: { query: 'battery recycling', recency: 'week', sites: ['reuters.com', 'theguardian.com'] },
    },
    {
      description: 'German results by Brave',
      input: { query: 'Wärmepumpe Förderung', provider: 'brave', country: 'DE', language: 'de' },
    },
  ],
  price: providerPrice<Request, Usage, typeof SEARCH_PRICES>({
    unit: 'search',
    typicalMicrousd: SEARCH_PRICES.tavily,
    costFields: ['count', 'provider', 'answer', 'language'],
    rates: SEARCH_PRICES,
    most: (request, rates) =>
      highestCost(getProvidersFor(request).map((slot) => costBy({ slot, results: request.count }, rates))),
    cost: costBy,
  }),
  requirements: SEARCH_PROVIDERS,
  getRequirementsFor: getProvidersFor,
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 3 },
  async run(context) {
    const { input: request, provider } = context;
    const slot = SEARCH_PROVIDERS.find((name) => name === provider.slot) ?? 'tavily';
    const found = await searchers[slot](context, request);
    const results = found.results
      .filter(({ url }) => /^https?:\/\//i.test(url) && URL.canParse(url))
      .slice(0, request.count)
      .map(({ title, url, snippet, published, score }) => ({
        title: (title || url).slice(0, MAX_TITLE_CHARS),
        url,
        snippet: snippet.trim().slice(0, MAX_SNIPPET_CHARS),
        published: isoDate(published),
        score: score ?? null,
      }));
    const { credits, costUsd } = found;
    return {
      output: { results, answer: found.answer?.slice(0, MAX_ANSWER_CHARS) || null, provider: slot },
      usage: { slot, results: found.results.length, credits, costUsd },
    };
  },
});

function isoDate(text: string | null | undefined): string | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
