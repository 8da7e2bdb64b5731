import { z } from 'zod';
import { type ProviderRequest, type Requester, requestJson } from '../sdk/provider-request';
import { InputError } from '../sdk/skill-error';

export const SEARCH_PROVIDERS = ['tavily', 'brave', 'exa'] as const;
export type SearchProvider = (typeof SEARCH_PROVIDERS)[number];

const TIME_LIMIT_MS = 25_000;
/** Brave's limits on a query, including operators. */
const BRAVE_MAX_CHARS = 400;
const BRAVE_MAX_WORDS = 50;
const DAY_MS = 86_400_000;
const RECENCY_DAYS = { day: 1, week: 7, month: 31, year: 366 } as const;

export interface Search {
  readonly query: string;
  readonly count: number;
  readonly recency?: keyof typeof RECENCY_DAYS | undefined;
  readonly sites?: readonly string[] | undefined;
  readonly country?: string | undefined;
  readonly language?: string | undefined;
  readonly answer: boolean;
}

/** Results of a provider, before they are cleaned and bounded. */
export interface Found {
  readonly results: readonly {
    title?: string | null | undefined;
    url: string;
    snippet: string;
    published?: string | null | undefined;
    score?: number | undefined;
  }[];
  readonly answer?: string | undefined;
  /** Usage reported by the provider, in credits or dollars. */
  readonly credits?: number | undefined;
  readonly costUsd?: number | undefined;
}

// A search has no effects, so it is safe to repeat.
const base = { timeLimitMs: TIME_LIMIT_MS, repeatable: true } satisfies Partial<ProviderRequest>;
const text = z.string().nullish();

const tavilyAnswer = z.object({
  answer: text,
  results: z.array(
    z.object({
      title: text,
      url: z.string(),
      content: text,
      score: z.number().optional(),
      published_date: text,
    }),
  ),
  usage: z.object({ credits: z.number().nonnegative() }).optional(),
});

async function searchTavily(asker: Requester, search: Search): Promise<Found> {
  const json = {
    query: search.query,
    search_depth: 'basic',
    max_results: search.count,
    include_answer: search.answer,
    include_usage: true,
    time_range: search.recency,
    include_domains: search.sites,
    country: search.country && countryName(search.country),
  };
  const { answer } = await requestJson(asker, { ...base, path: '/search', json }, tavilyAnswer);
  const results = answer.results.map(({ title, url, content, score, published_date }) => ({
    title,
    url,
    snippet: content ?? '',
    published: published_date,
    score,
  }));
  return { results, answer: answer.answer ?? undefined, credits: answer.usage?.credits };
}

/** Tavily expects `germany`, not `DE`. */
function countryName(code: string): string {
  return (new Intl.DisplayNames(['en'], { type: 'region' }).of(code) ?? code).toLowerCase();
}

const braveAnswer = z.object({
  type: z.literal('search'),
  // Missing if nothing was found.
  web: z
    .object({
      results: z.array(z.object({ title: text, url: z.string(), description: text, page_age: text })),
    })
    .optional(),
});
const FRESHNESS = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const;

async function searchBrave(asker: Requester, search: Search): Promise<Found> {
  const sites = search.sites?.map((site) => `site:${site}`).join(' OR ');
  const q = sites ? `${search.query} ${sites}` : search.query;
  if (q.length > BRAVE_MAX_CHARS || q.split(/\s+/).length > BRAVE_MAX_WORDS)
    throw new InputError(
      'query: with its sites it exceeds the limit of Brave Search, 400 characters and 50 words. Shorten it, or name fewer sites.',
    );
  const query = new URLSearchParams({ q, count: String(search.count), result_filter: 'web' });
  if (search.recency) query.set('freshness', FRESHNESS[search.recency]);
  if (search.country) query.set('country', search.country);
  if (search.language) query.set('search_lang', search.language);
  const headers = { Accept: 'application/json' };
  const { answer } = await requestJson(
    asker,
    { ...base, path: `/res/v1/web/search?${query}`, headers },
    braveAnswer,
  );
  const results = (answer.web?.results ?? []).map(({ title, url, description, page_age }) => ({
    title: title && withoutMarkup(title),
    url,
    snippet: withoutMarkup(description ?? ''),
    published: page_age,
  }));
  return { results };
}

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['#x27', "'"],
  ['#39', "'"],
  ['nbsp', ' '],
]);

/** Removes Brave's highlighting tags and decodes HTML entities. */
function withoutMarkup(html: string): string {
  return html
    .replace(/<\/?\w[^<>]*>/g, '')
    .replace(/&(#?\w+);/g, (entity, name: string) => ENTITIES.get(name) ?? entity);
}

const exaAnswer = z.object({
  results: z.array(
    z.object({
      title: text,
      url: z.string(),
      publishedDate: text,
      highlights: z.array(z.string()).nullish(),
    }),
  ),
  costDollars: z.object({ total: z.number().nonnegative() }).optional(),
});

async function searchExa(asker: Requester, search: Search): Promise<Found> {
  const since = search.recency && new Date(Date.now() - RECENCY_DAYS[search.recency] * DAY_MS);
  const json = {
    query: search.query,
    type: 'auto',
    numResults: search.count,
    contents: { highlights: true },
    startPublishedDate: since?.toISOString(),
    includeDomains: search.sites,
    userLocation: search.country,
  };
  const { answer } = await requestJson(asker, { ...base, path: '/search', json }, exaAnswer);
  const results = answer.results.map(({ title, url, publishedDate, highlights }) => ({
    title,
    url,
    snippet: (highlights ?? []).join(' … '),
    published: publishedDate,
  }));
  return { results, costUsd: answer.costDollars?.total };
}

export const searchers: Record<SearchProvider, (asker: Requester, search: Search) => Promise<Found>> = {
  tavily: searchTavily,
  brave: searchBrave,
  exa: searchExa,
};
