import { z } from 'zod';
import { defineSkill, perCall } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import { fileName, hasOneSource, ONE_SOURCE, pageInput, pageOutput, toRenderRequest } from './page-input';

/** Three tenths of a cent, for seconds of browser time. */
const PRICE_MICROUSD = 3_000n;

const input = z
  .object({
    ...pageInput,
    full_page: z
      .boolean()
      .default(false)
      .describe(
        'true: the whole page, at most 16,000 CSS pixels high. false (the default): the visible part.',
      ),
    format: z.enum(['png', 'jpeg', 'webp']).default('png').describe('Format of the picture; png by default.'),
    quality: z.int().min(1).max(100).default(85).describe('Quality of jpeg and webp; 85 by default.'),
    device_scale: z
      .number()
      .min(1)
      .max(3)
      .default(1)
      .describe('Pixels of the picture per CSS pixel, 1 to 3; 2 is sharp on high-resolution screens.'),
  })
  .refine(hasOneSource, ONE_SOURCE);

const output = z.object({
  ...pageOutput,
  image: assetOutput.describe('The picture.'),
  width: z.int().describe('Width of the picture in pixels.'),
  height: z.int().describe('Height of the picture in pixels.'),
  truncated: z.boolean().describe('Whether the page is longer than the limit and was cut off.'),
});

export const capture = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'capture',
  displayName: 'Screenshot of a page',
  keywords:
    'screenshot picture webpage website homepage landing page url look looks appear rendered phone mobile desktop full dark mode html image png snapshot',
  description:
    'Takes a screenshot of a web page, or of HTML you send, in a real browser with scripts and styles: the visible part or the full page, as PNG, JPEG or WebP, in any window size, at high resolution, in dark mode, after an element has appeared.',
  input,
  output,
  returns: 'The picture as an asset, its size, and title and status of the page.',
  examples: [
    { description: 'What a page looks like', input: { url: 'https://example.com/' } },
    {
      description: 'A whole page on a phone, sharp and dark',
      input: {
        url: 'https://example.com/',
        width: 390,
        height: 844,
        device_scale: 2,
        full_page: true,
        dark_mode: true,
        format: 'jpeg',
      },
    },
    {
      description: 'A card drawn from HTML',
      input: {
        html: '<h1 style="font-family:sans-serif">Hello</h1>',
        width: 600,
        height: 315,
        format: 'webp',
      },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 6 },
  async run({ input: request, browser, files, signal }) {
    const path = await files.scratch(request.format);
    const { format: type, full_page: fullPage, quality, device_scale: scale } = request;
    const page = await browser.render(
      { ...toRenderRequest(request), scale, path, output: { kind: 'picture', type, fullPage, quality } },
      signal,
    );
    const image = await files.save(
      { path },
      { filename: fileName(request.url, type === 'jpeg' ? 'jpg' : type), contentType: `image/${type}` },
    );
    return {
      output: {
        url: request.url === undefined ? null : page.url,
        title: page.title,
        status: page.status,
        blocked_requests: page.blockedRequests,
        image,
        width: page.width ?? 0,
        height: page.height ?? 0,
        truncated: page.truncated,
      },
    };
  },
});
