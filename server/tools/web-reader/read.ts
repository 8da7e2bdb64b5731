import { z } from 'zod';
import { defineSkill, perCall } from '../sdk/define-tool';
import { InputError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import { addressInput } from './address';
import { charsetField } from './charset-field';
import { fetchPage } from './fetch-page';
import type * as worker from './page-worker.mjs';
import { PAGE_WORKER } from './page-worker-file';

/** A tenth of a cent. */
const PRICE_MICROUSD = 1_000n;
/** 5 MiB of paragraphs take three seconds on an idle machine. */
const READ_LIMIT_MS = 20_000;
const MAX_CHARACTERS = 500_000;
const DEFAULT_CHARACTERS = 100_000;

const input = z.object({
  url: addressInput('URL of the page, at most 5 MiB of HTML. Redirects are followed.'),
  whole_page: z
    .boolean()
    .default(false)
    .describe('true: the whole page, with menus and footers. false (the default): only the main content.'),
  max_characters: z
    .int()
    .min(100)
    .max(MAX_CHARACTERS)
    .default(DEFAULT_CHARACTERS)
    .describe('Maximum number of characters of Markdown to return; 100,000 by default.'),
});

const output = z.object({
  url: z.string().describe('URL of the page after redirects.'),
  title: z.string().describe('Title of the page or article.'),
  byline: z.string().nullable().describe('Author, if the page names one.'),
  excerpt: z.string().nullable().describe('Short summary from the page, or its first words.'),
  site_name: z.string().nullable().describe('Name of the site.'),
  language: z.string().nullable().describe('Language tag, such as en or de-DE.'),
  published: z.string().nullable().describe('Publication date as written on the page.'),
  markdown: z.string().describe('The content as Markdown, with absolute links.'),
  words: z.int().describe('Number of words of the whole content.'),
  truncated: z.boolean().describe('Whether max_characters cut off the content.'),
  links: z
    .array(
      z.object({
        text: z.string().describe('Text of the link.'),
        url: z.string().describe('Target of the link.'),
      }),
    )
    .describe('Links in the content, each URL once, at most 200.'),
  charset: charsetField,
});

export const read = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'read',
  displayName: 'Read a page',
  keywords:
    'read webpage web page website url article blog post news story content main text reader markdown ads',
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
