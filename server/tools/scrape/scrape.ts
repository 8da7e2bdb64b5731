import { z } from 'zod';
import { defineSkill } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import { costOfUnits, providerPrice, SCRAPE_PRICES } from '../sdk/provider-prices';
import { requestJson, unsupportedResponse } from '../sdk/provider-request';
import { whyNotPublic } from './public-url';

/** Time limits: Firecrawl's for the page, and ours for its response. */
const PAGE_TIME_MS = 60_000;
const TIME_LIMIT_MS = 90_000;
const MIB = 1024 * 1024;
const MAX_ANSWER_BYTES = 8 * MIB;
const MAX_SCREENSHOT_BYTES = 20 * MIB;
/** Storage to reserve for a typical screenshot. */
const SCREENSHOT_ROOM_BYTES = 2 * MIB;
/** UTF-16 code units of Markdown, and of HTML. */
const MAX_CONTENT_CHARS = 200_000;
const MAX_LINKS = 1_000;
/** Longer links are omitted. */
const MAX_LINK_CHARS = 500;
const MAX_URL_CHARS = 2_048;
/** Credits that one page costs. */
const PAGE_CREDITS = 1;

const input = z.object({
  url: z
    .string()
    .trim()
    .max(MAX_URL_CHARS)
    .superRefine((url, context) => {
      const message = whyNotPublic(url);
      if (message) context.addIssue({ code: 'custom', message });
    })
    .describe('URL of the page, http(s), on the public web.'),
  formats: z
    .array(z.enum(['markdown', 'html', 'links', 'screenshot']))
    .min(1)
    .max(4)
    .default(['markdown'])
    .describe('Formats to return: one or more of markdown (the default), html, links and screenshot.'),
  only_main_content: z
    .boolean()
    .default(true)
    .describe('Whether to omit navigation, header and footer; true by default.'),
  full_page: z
    .boolean()
    .default(false)
    .describe('Whether the screenshot shows the whole page instead of its top; false by default.'),
  wait_ms: z
    .int()
    .min(0)
    .max(20_000)
    .optional()
    .describe('Milliseconds to wait for the scripts of the page, at most 20,000.'),
  max_pdf_pages: z
    .int()
    .min(1)
    .max(100)
    .default(10)
    .describe(
      'Maximum number of pages to read of a PDF, 1 to 100; 10 by default. Each is charged as a page.',
    ),
});

const output = z.object({
  url: z.string().describe('URL of the page.'),
  title: z.string().nullable().describe('Title of the page; null if it has none.'),
  status_code: z.int().nullable().describe('HTTP status of the page, such as 200 or 404; null if unknown.'),
  markdown: z
    .string()
    .nullable()
    .describe('The text as Markdown, at most 200,000 characters; null if not requested.'),
  html: z.string().nullable().describe('The HTML, at most 200,000 characters; null if not requested.'),
  links: z
    .array(z.string())
    .nullable()
    .describe('URLs that the page links to, at most 1,000; null if not requested.'),
  screenshot: assetOutput.nullable().describe('Screenshot of the page; null if not requested.'),
  truncated: z.boolean().describe('Whether anything exceeded its limit and was cut off.'),
});

const answerSchema = z.object({
  data: z.object({
    markdown: z.string().nullish(),
    html: z.string().nullish(),
    links: z.array(z.string()).nullish(),
    screenshot: z.url({ protocol: /^https?$/ }).nullish(),
    metadata: z.looseObject({
      title: z.unknown().optional(),
      statusCode: z.int().nullish(),
      creditsUsed: z.number().nonnegative().nullish(),
    }),
  }),
});

type Request = z.infer<typeof input>;
interface Usage {
  credits: number;
}

export const scrape = defineSkill<Request, z.infer<typeof output>, Usage>({
  name: 'scrape',
  displayName: 'Scrape a page',
  keywords:
    'scraper scrape javascript react rendered dynamic loads page browser bots blocked content website firecrawl',
  description:
    'Loads a web page in a real browser at Firecrawl, runs its scripts, and gives its content: Markdown, HTML, the links on it, or a screenshot. For pages that a plain reader cannot read (apps made with JavaScript, sites that turn robots away) and for PDFs. One page a call. Priced by page.',
  input,
  output,
  returns: 'The content of the page in the formats asked for, with its title and status.',
  examples: [
    { description: 'A page as Markdown', input: { url: 'https://www.iana.org/domains/reserved' } },
    {
      description: 'The links and a picture of a whole page',
      input: { url: 'https://www.iana.org/', formats: ['links', 'screenshot'], full_page: true },
    },
  ],
  price: providerPrice<Request, Usage, typeof SCRAPE_PRICES>({
    unit: 'page',
    typicalMicrousd: SCRAPE_PRICES.credit,
    costFields: ['max_pdf_pages'],
    rates: SCRAPE_PRICES,
    most: ({ max_pdf_pages }, { credit }) => costOfUnits(PAGE_CREDITS + max_pdf_pages, credit),
    cost: ({ credits }, { credit }) => costOfUnits(credits, credit),
  }),
  requirements: ['firecrawl'],
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 10 },
  async run(context) {
    const { input: request, files, provider } = context;
    const wants = new Set(request.formats);
    const json = {
      url: request.url,
      formats: [...wants].map((format) =>
        format === 'screenshot' ? { type: 'screenshot', fullPage: request.full_page } : format,
      ),
      onlyMainContent: request.only_main_content,
      waitFor: request.wait_ms,
      timeout: PAGE_TIME_MS,
      // Other proxies cost more than the quoted price.
      proxy: 'basic',
      parsers: [{ type: 'pdf', maxPages: request.max_pdf_pages }],
    };
    if (wants.has('screenshot')) await files.ensureRoom(SCREENSHOT_ROOM_BYTES);
    const { answer } = await requestJson(
      context,
      { path: '/v2/scrape', json, timeLimitMs: TIME_LIMIT_MS, repeatable: true, maxBytes: MAX_ANSWER_BYTES },
      answerSchema,
    );
    const { markdown, html, links, screenshot: pictureUrl, metadata } = answer.data;
    if (wants.has('screenshot') && !pictureUrl) throw unsupportedResponse(provider);
    const picture = pictureUrl && (await files.open(pictureUrl, { maxBytes: MAX_SCREENSHOT_BYTES }));
    if (picture && !picture.contentType.startsWith('image/')) throw unsupportedResponse(provider);
    const shortLinks = (links ?? []).filter((link) => link.length <= MAX_LINK_CHARS);
    const tooLong = [markdown, html].some((text) => (text?.length ?? 0) > MAX_CONTENT_CHARS);
    return {
      output: {
        url: request.url,
        title: typeof metadata.title === 'string' ? metadata.title.slice(0, 500) : null,
        status_code: metadata.statusCode ?? null,
        markdown: wants.has('markdown') ? (markdown ?? '').slice(0, MAX_CONTENT_CHARS) : null,
        html: wants.has('html') ? (html ?? '').slice(0, MAX_CONTENT_CHARS) : null,
        links: wants.has('links') ? shortLinks.slice(0, MAX_LINKS) : null,
        screenshot: picture
          ? await files.save(
              { path: picture.path },
              {
                filename: `screenshot.${picture.contentType.slice('image/'.length)}`,
                contentType: picture.contentType,
              },
            )
          : null,
        truncated: tooLong || shortLinks.length > MAX_LINKS || shortLinks.length < (links?.length ?? 0),
      },
      usage: { credits: metadata.creditsUsed ?? PAGE_CREDITS },
    };
  },
});
