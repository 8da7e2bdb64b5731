import { z } from 'zod';
import { addressInput } from '../web-reader/address';

const MAX_HTML_CHARS = 500_000;
const MAX_DELAY_MS = 10_000;

/** Input fields that both skills share. */
export const pageInput = {
  url: addressInput('URL of the page. Pass either url or html.').optional(),
  html: z
    .string()
    .min(1)
    .max(MAX_HTML_CHARS)
    .optional()
    .describe('HTML to render instead of a URL, at most 500,000 characters. Its links must be absolute.'),
  width: z
    .int()
    .min(100)
    .max(3_840)
    .default(1_280)
    .describe('Width of the window in CSS pixels; 1,280 by default. Use 390 for a phone.'),
  height: z
    .int()
    .min(100)
    .max(4_000)
    .default(800)
    .describe('Height of the window in CSS pixels; 800 by default.'),
  dark_mode: z.boolean().default(false).describe('Whether to request the dark colour scheme of the page.'),
  wait_for: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('CSS selector of an element to wait for, up to 10 s.'),
  delay_ms: z
    .int()
    .min(0)
    .max(MAX_DELAY_MS)
    .default(0)
    .describe('Milliseconds to wait before rendering, at most 10,000.'),
};

export interface PageInput {
  url?: string | undefined;
  html?: string | undefined;
  width: number;
  height: number;
  dark_mode: boolean;
  wait_for?: string | undefined;
  delay_ms: number;
}

export function hasOneSource({
  url,
  html,
}: {
  url?: string | undefined;
  html?: string | undefined;
}): boolean {
  return (url === undefined) !== (html === undefined);
}
export const ONE_SOURCE = { message: 'Pass either url or html, not both', path: ['url'] };

/** Converts the input fields to a request for the browser. */
export function toRenderRequest({ url, html, width, height, dark_mode, wait_for, delay_ms }: PageInput) {
  return {
    ...(url === undefined ? {} : { url }),
    ...(html === undefined ? {} : { html }),
    ...(wait_for === undefined ? {} : { waitFor: wait_for }),
    width,
    height,
    dark: dark_mode,
    delayMs: delay_ms,
  };
}

/** Output fields that both skills share. */
export const pageOutput = {
  url: z.string().nullable().describe('URL of the page after redirects; null for html.'),
  title: z.string().describe('Title of the page.'),
  status: z.int().nullable().describe('HTTP status of the page; null for html.'),
  blocked_requests: z
    .int()
    .describe(
      'Number of requests of the page that were blocked, because they led to private networks or unknown hosts.',
    ),
};

/** Builds a filename from the host of the page. */
export function fileName(url: string | undefined, extension: string): string {
  return `${url === undefined ? 'page' : new URL(url).hostname.replace(/[^a-z0-9.-]/gi, '_')}.${extension}`;
}
