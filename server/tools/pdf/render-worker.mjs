// Runs in a worker process, as text-worker.mjs does. PDFium is a WebAssembly module that does not
// run JavaScript in documents.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import sharp from 'sharp';
import { Refusal, refusable } from '../../kit/worker-refusal.mjs';
import { MAX_PAGE_PIXELS } from './limits.mjs';
import { parsePages } from './page-ranges.mjs';
import { openWithPassword } from './passwords.mjs';

sharp.cache(false);
sharp.concurrency(1);

/** PDF coordinates are in points of 1/72 inch. */
const POINTS_PER_INCH = 72;

/** @typedef {{ input: string, password?: string | undefined }} Source */

/**
 * Returns the pages to render.
 * @param {Source & { pages?: string | undefined }} payload
 */
export function choosePages({ pages, ...source }) {
  return refusable(() =>
    withDocument(source, async (document) => {
      const count = document.getPageCount();
      return { page_count: count, pages: parsePages(pages, count, 'pages') };
    }),
  );
}

/**
 * Renders one page to a file.
 * @param {Source & { page: number, dpi: number, format: 'png' | 'jpeg', quality: number,
 *   transparent: boolean, output: string }} payload
 */
export function renderPage({ page: number, dpi, format, quality, transparent, output, ...source }) {
  return refusable(() =>
    withDocument(source, async (document) => {
      const page = document.getPage(number - 1);
      const { originalWidth, originalHeight } = page.getOriginalSize();
      const scale = dpi / POINTS_PER_INCH;
      const pixels = originalWidth * scale * originalHeight * scale;
      if (!(pixels <= MAX_PAGE_PIXELS)) {
        const fitting = Math.floor(dpi * Math.sqrt(MAX_PAGE_PIXELS / pixels));
        throw new Refusal(
          `dpi: page ${number} would have ${Math.round(pixels / 1e6)} million pixels; the limit is ${MAX_PAGE_PIXELS / 1e6} million. Use ${fitting} dpi or less.`,
        );
      }
      document.initializeFormFields();
      const { width, height, data } = await page.render({
        scale,
        transparent,
        renderFormFields: true,
        render: async (bitmap) => {
          const raw = { width: bitmap.width, height: bitmap.height, channels: /** @type {const} */ (4) };
          const picture = sharp(bitmap.data, { raw }).withDensity(dpi);
          return await (format === 'png'
            ? picture.png({ compressionLevel: 8 })
            : picture.flatten({ background: '#ffffff' }).jpeg({ quality, mozjpeg: true })
          ).toBuffer();
        },
      });
      await writeFile(output, data);
      return { width, height };
    }),
  );
}

/**
 * @template Value
 * @param {Source} source
 * @param {(document: Awaited<ReturnType<PDFiumLibrary['loadDocument']>>) => Promise<Value>} work
 */
async function withDocument({ input, password }, work) {
  const library = await createLibrary();
  const bytes = new Uint8Array(await readFile(input));
  const document = await openWithPassword(
    password,
    (form) => library.loadDocument(bytes, form),
    isWrongPassword,
  ).catch((error) => {
    if (!isWrongPassword(error))
      throw new Refusal('file: the file is not a PDF, or it is damaged. Send an intact PDF.');
    if (password === undefined) throw new Refusal('file: the PDF is encrypted. Pass its password.');
    throw new Refusal('password: wrong password for this PDF.');
  });
  return await work(document);
}

/** @param {unknown} error thrown by PDFium */
function isWrongPassword(error) {
  return /password/i.test(String(error));
}

/** Compiled once per process, which takes 0.3 s. */
const compiled = (async () => {
  const file = createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm');
  return await WebAssembly.compile(await readFile(file));
})();

/** Creates an instance for each task, because WebAssembly memory never shrinks. */
async function createLibrary() {
  const module = await compiled;
  return await PDFiumLibrary.init({
    instantiateWasm(imports, onReady) {
      const instance = new WebAssembly.Instance(module, imports);
      // Emscripten expects the instance here, although its type says the module.
      onReady(/** @type {WebAssembly.Module} */ (/** @type {unknown} */ (instance)));
      return instance.exports;
    },
  });
}
