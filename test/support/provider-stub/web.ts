import { z } from 'zod';
import { BadRequest, createHeaderReader, type ProviderFake, parseJson, readBearer } from './exchange';

const COUNTRY = /^[A-Z]{2}$/;
const DOMAIN = z.string().regex(/^[\w-]+(\.[\w-]+)+$/);
const pages = (count: number) =>
  Array.from({ length: Math.min(count, 3) }, (_, at) => ({
    title: `Result ${at + 1}`,
    url: `https://example.com/${at + 1}`,
  }));

export const tavily: ProviderFake = {
  readKey: readBearer,
  error: (_, message) => ({ detail: { error: message } }),
  answer(request) {
    if (request.method !== 'POST' || request.path !== '/search')
      return { status: 404, body: tavily.error(404, 'Not Found') };
    const body = parseJson(
      request,
      z.strictObject({
        query: z.string().min(1).max(400),
        search_depth: z.literal('basic'),
        max_results: z.int().min(0).max(20),
        include_answer: z.boolean(),
        include_usage: z.literal(true),
        time_range: z.enum(['day', 'week', 'month', 'year']).optional(),
        include_domains: z.array(DOMAIN).max(300).optional(),
        country: z
          .string()
          .regex(/^[a-z ]+$/)
          .optional(),
      }),
    );
    const results = pages(body.max_results).map((page, at) => ({
      ...page,
      content: 'What it says.',
      score: 0.9 - at / 10,
    }));
    const answer = body.include_answer ? 'The short answer.' : undefined;
    return {
      status: 200,
      body: { query: body.query, answer, results, response_time: 0.5, usage: { credits: 1 } },
    };
  },
};

export const brave: ProviderFake = {
  readKey: createHeaderReader('x-subscription-token'),
  error: (status, message) => ({ type: 'ErrorResponse', error: { status, detail: message } }),
  answer({ method, path, query, headers }) {
    if (method !== 'GET' || path !== '/res/v1/web/search')
      return { status: 404, body: brave.error(404, 'Not found') };
    if (!headers.accept?.includes('application/json'))
      throw new BadRequest('Accept must be application/json');
    const q = query.get('q') ?? '';
    const count = Number(query.get('count'));
    if (q.length === 0 || q.length > 400 || q.split(/\s+/).length > 50)
      throw new BadRequest('q: 1 to 400 characters');
    if (!(count >= 1 && count <= 20)) throw new BadRequest('count: 1 to 20');
    if (!/^(|pd|pw|pm|py)$/.test(query.get('freshness') ?? '')) throw new BadRequest('freshness: unknown');
    if (query.has('country') && !COUNTRY.test(query.get('country') ?? ''))
      throw new BadRequest('country: unknown');
    if (query.has('search_lang') && !/^[a-z]{2}$/.test(query.get('search_lang') ?? ''))
      throw new BadRequest('search_lang: unknown');
    const results = pages(count).map((page) => ({
      ...page,
      description: 'What <strong>it</strong> says &amp; means.',
      page_age: '2026-11-20T09:00:00',
    }));
    return {
      status: 200,
      body: { type: 'search', query: { original: q }, web: { type: 'search', results } },
    };
  },
};

export const exa: ProviderFake = {
  readKey: createHeaderReader('x-api-key'),
  error: (_, message) => ({ requestId: 'stub', error: message }),
  answer(request) {
    if (request.method !== 'POST' || request.path !== '/search')
      return { status: 404, body: exa.error(404, 'Not found') };
    const body = parseJson(
      request,
      z.strictObject({
        query: z.string().min(1),
        type: z.literal('auto'),
        numResults: z.int().min(1).max(100),
        contents: z.strictObject({ highlights: z.literal(true) }),
        startPublishedDate: z.iso.datetime().optional(),
        includeDomains: z.array(DOMAIN).optional(),
        userLocation: z.string().regex(COUNTRY).optional(),
      }),
    );
    const results = pages(body.numResults).map((page) => ({
      ...page,
      id: page.url,
      publishedDate: '2026-11-20T00:00:00.000Z',
      highlights: ['What it says.', 'And more.'],
    }));
    return { status: 200, body: { requestId: 'stub', results, costDollars: { total: 0.007 } } };
  },
};

const scrapeRequest = z.strictObject({
  url: z.url(),
  formats: z
    .array(
      z.union([
        z.enum(['markdown', 'html', 'links']),
        z.strictObject({ type: z.literal('screenshot'), fullPage: z.boolean() }),
      ]),
    )
    .min(1),
  onlyMainContent: z.boolean(),
  waitFor: z.int().min(0).max(60_000).optional(),
  timeout: z.int().min(1_000).max(300_000),
  proxy: z.literal('basic'),
  parsers: z.tuple([z.strictObject({ type: z.literal('pdf'), maxPages: z.int().min(1).max(10_000) })]),
});

export const firecrawl: ProviderFake = {
  readKey: readBearer,
  error: (_, message) => ({ success: false, error: message }),
  answer(request) {
    if (request.method !== 'POST' || request.path !== '/v2/scrape')
      return { status: 404, body: firecrawl.error(404, 'Not found') };
    const { url, formats } = parseJson(request, scrapeRequest);
    const wants = (name: string) =>
      formats.some((format) => format === name || (typeof format === 'object' && format.type === name));
    const data = {
      markdown: wants('markdown') ? '# Example Domain\n\nWhat it says.' : undefined,
      html: wants('html') ? '<h1>Example Domain</h1>' : undefined,
      links: wants('links') ? ['https://www.iana.org/domains/example'] : undefined,
      screenshot: wants('screenshot') ? `${request.filesUrl}/logo.png` : undefined,
      metadata: { title: 'Example Domain', sourceURL: url, statusCode: 200, creditsUsed: 1 },
    };
    return { status: 200, body: { success: true, data } };
  },
};

const address = z.string().regex(/^([^<>\r\n]+ <)?[^\s<>@]+@[^\s<>@]+>?$/);
export const resend: ProviderFake = {
  readKey: readBearer,
  error: (statusCode, message) => ({ statusCode, name: 'validation_error', message }),
  answer(request) {
    if (request.method !== 'POST' || request.path !== '/emails')
      return { status: 404, body: resend.error(404, 'Not found') };
    if (!/^[\x21-\x7e]{1,256}$/.test(String(request.headers['idempotency-key'] ?? '')))
      throw new BadRequest('Idempotency-Key: 1 to 256 characters');
    if (!request.headers['user-agent']) throw new BadRequest('User-Agent is required');
    const mail = parseJson(
      request,
      z.strictObject({
        from: address,
        to: z.array(address).min(1).max(50),
        cc: z.array(address).max(50).optional(),
        bcc: z.array(address).max(50).optional(),
        subject: z.string().min(1),
        text: z.string().optional(),
        html: z.string().optional(),
        reply_to: z.array(address).optional(),
        attachments: z
          .array(
            z.strictObject({ filename: z.string().min(1), content: z.base64(), content_type: z.string() }),
          )
          .optional(),
      }),
    );
    if (mail.text === undefined && mail.html === undefined) throw new BadRequest('html or text is required');
    return { status: 200, body: { id: '49a3999c-0ce1-4ea6-ab68-afcd6dc2e794' } };
  },
};
