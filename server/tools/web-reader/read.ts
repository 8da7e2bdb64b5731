import { z } from 'zod';
import { InputError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import { defineSkill, perCall } from '../sdk/define-tool';
import { addressInput } from './address';
import { fetchPage } from './fetch-page';
import type * as worker from './page-worker.mjs';
import { PAGE_WORKER } from './page-worker-file';

/** A tenth of a cent. */
const PRICE_MICROUSD = 1_000n;
/** Five MiB of paragraphs take three seconds on an idle machine. */
const READ_LIMIT_MS = 20_000;
const MAX_CHARACTERS = 500_000;
const DEFAULT_CHARACTERS = 100_000;

const input = z.object({
  url: addressInput('Address of the page, at most 5 MiB of HTML. Redirects are followed.'),
  whole_page: z
    .boolean()
    .default(false)
    .describe('true: all of the page, with menus and footers. false (the default): the main content only.'),
  max_characters: z
    .int()
    .min(100)
    .max(MAX_CHARACTERS)
    .default(DEFAULT_CHARACTERS)
    .describe('The most characters of Markdown to give back; 100,000 when left out.'),
});

const output = z.object({
  url: z.string().describe('Address of the page after redirects.'),
  title: z.string().describe('Title of the page or article.'),
  byline: z.string().nullable().describe('Who wrote it, where the page says so.'),
  excerpt: z.string().nullable().describe('A short summary, as the page gives it or its first words.'),
  site_name: z.string().nullable().describe('Name of the site.'),
  language: z.string().nullable().describe('Language tag, such as en or de-DE.'),
  published: z.string().nullable().describe('When it was published, as the page writes it.'),
  markdown: z.string().describe('The content as Markdown, with absolute links.'),
  words: z.int().describe('Words of the whole content.'),
  truncated: z.boolean().describe('Whether max_characters has cut it off.'),
  links: z
    .array(
      z.object({
        text: z.string().describe('What the link says.'),
        url: z.string().describe('Where it leads.'),
      }),
    )
    .describe('Links in the content, each address once, at most 200.'),
});

export const read = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'read',
  displayName: 'Read a page',
  description:
    'Reads a web page and returns what it says: the main article or text as clean Markdown, without menus, ads and footers, with title, author, summary, language and links. For pages whose content is in their HTML; one that is drawn by scripts needs a browser.',
  input,
  output,
  returns: 'The main content as Markdown, with title, byline, excerpt, language and links.',
  examples: [
    { description: 'What a page says', input: { url: 'https://example.com/' } },
    {
      description: 'All of a page, and no more than 2,000 characters',
      input: { url: 'https://example.com/', whole_page: true, max_characters: 2_000 },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 3 },
  async run({ input: request, fetch, signal }) {
    const page = await fetchPage(fetch, request.url, { signal });
    const article = await runInWorker<typeof worker.read>(
      PAGE_WORKER,
      'read',
      { ...page, maxCharacters: request.max_characters, whole: request.whole_page },
      { signal, timeLimitMs: READ_LIMIT_MS },
    );
    if (!article.ok) throw new InputError(article.message);
    const { ok: _, siteName, ...said } = article;
    return { output: { ...said, url: page.url, site_name: siteName } };
  },
});
