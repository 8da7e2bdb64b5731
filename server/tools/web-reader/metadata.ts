import { z } from 'zod';
import { defineSkill, perCall } from '../sdk/define-tool';
import { InputError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import { addressInput } from './address';
import { charsetField } from './charset-field';
import { fetchPage } from './fetch-page';
import type * as worker from './page-worker.mjs';
import { PAGE_WORKER } from './page-worker-file';

/** A twentieth of a cent. */
const PRICE_MICROUSD = 500n;

const input = z.object({ url: addressInput('URL of the page, at most 5 MiB of HTML.') });

const property = z.object({
  property: z.string().describe('Name, such as og:title.'),
  content: z.string().describe('Value of the property.'),
});
const link = z.object({
  url: z.string().describe('Absolute URL.'),
  type: z.string().nullable().describe('Media type.'),
  title: z.string().nullable().describe('Title.'),
  sizes: z.string().nullable().describe('Sizes of an icon.'),
});

const output = z.object({
  url: z.string().describe('URL of the page after redirects.'),
  title: z.string().nullable().describe('Title of the page.'),
  description: z.string().nullable().describe('Its description for search engines.'),
  canonical: z.string().nullable().describe('The canonical URL that the page declares.'),
  language: z.string().nullable().describe('Language tag.'),
  author: z.string().nullable().describe('Author.'),
  site_name: z.string().nullable().describe('Name of the site.'),
  published: z.string().nullable().describe('Publication date as written on the page.'),
  open_graph: z.array(property).describe('Open Graph properties.'),
  twitter: z.array(property).describe('Properties of its Twitter card.'),
  json_ld: z.array(z.unknown()).describe('Structured data (JSON-LD, schema.org), at most 20 blocks.'),
  icons: z.array(link).describe('Its icons.'),
  feeds: z.array(link).describe('RSS, Atom and JSON feeds that the page declares.'),
  charset: charsetField,
});

export const metadata = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'metadata',
  displayName: 'Page metadata',
  keywords: 'open graph og tags link preview card title description favicon social messenger',
  description:
    'Reads what a web page says of itself for previews and search engines: title, description, canonical address, Open Graph and Twitter card tags, JSON-LD structured data, icons (favicon), RSS and Atom feeds.',
  input,
  output,
  returns: 'Title, description, canonical address, Open Graph, Twitter, JSON-LD, icons and feeds.',
  examples: [{ description: 'What a link preview would show', input: { url: 'https://example.com/' } }],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 2 },
  async run({ input: request, fetch, signal }) {
    const page = await fetchPage(fetch, request.url, { signal });
    const said = await runInWorker<typeof worker.metadata>(PAGE_WORKER, 'metadata', page, { signal });
    if (!said.ok) throw new InputError(said.message);
    const { ok: _, siteName, openGraph, jsonLd, ...rest } = said;
    return {
      output: { ...rest, url: page.url, site_name: siteName, open_graph: openGraph, json_ld: jsonLd },
    };
  },
});
