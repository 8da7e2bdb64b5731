// Runs in a worker process: finds the pictures of a text and scales them down for a document.

import { refusable } from '../../kit/worker-refusal.mjs';
import { openPicture, withDecodeErrors } from '../image/open-worker.mjs';
import { listImageSources, parseMarkdown } from './markdown.mjs';

/** Sharp on a printed A4 page. */
const MAX_WIDTH = 1_600;
const MAX_HEIGHT = 2_200;
const QUALITY = 85;

/** @typedef {{ path: string, type: 'png' | 'jpg', width: number, height: number }} Picture */

/** @param {{ markdown: string }} payload */
export function findImages({ markdown }) {
  return refusable(() => listImageSources(parseMarkdown(markdown)));
}

/**
 * Writes a picture as PNG or JPEG, the formats that documents support.
 * @param {{ input: string, output: string, field: string }} payload
 */
export function prepareImage({ input, output, field }) {
  return refusable(async () => {
    const { pipeline, metadata } = await openPicture(input, { field });
    const fitted = pipeline
      .autoOrient()
      .resize({ width: MAX_WIDTH, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true });
    const type = metadata.hasAlpha || metadata.format === 'png' ? 'png' : 'jpg';
    const encoded = type === 'png' ? fitted.png() : fitted.jpeg({ quality: QUALITY });
    const { width, height } = await withDecodeErrors(field, () => encoded.toFile(output));
    return /** @type {Picture} */ ({ path: output, type, width, height });
  });
}
