// Runs in a worker process: Vega takes a second to load, and a spec is an untrusted program.
import { writeFile } from 'node:fs/promises';
import { Resvg } from '@resvg/resvg-js';
import * as vega from 'vega';
import { compile } from 'vega-lite';
import { Refusal, refusable } from '../../kit/worker-refusal.mjs';
import { isCovered, measureWidth, ROBOTO } from '../sdk/roboto.mjs';
import { guardSpec, removeCompilers } from './guard-spec.mjs';
import { interpreter } from './interpreter.mjs';
import { MAX_PIXELS, MAX_SVG_CHARS } from './limits.mjs';
import { warnOfCutTexts, warnOfMissingGlyphs, warnOfOverflow } from './picture-warnings.mjs';
import { buildSpec } from './quick-spec.mjs';
import { buildTheme } from './theme.mjs';

const MAX_WARNINGS = 10;
const MAX_WARNING_CHARS = 300;

/** @typedef {Record<string, unknown>} Spec */

/**
 * @typedef {object} Drawing
 * @property {string} output path of the new file
 * @property {'svg' | 'png'} format
 * @property {number} scale for PNG only
 * @property {'light' | 'dark'} theme
 * @property {number | undefined} [width]
 * @property {number | undefined} [height]
 * @property {string | undefined} [background]
 */

// Without a canvas Vega estimates text widths; this gives it the metrics of the font drawn. The
// property is missing from Vega's types.
const { textMetrics } = /** @type {{ textMetrics: object }} */ (/** @type {unknown} */ (vega));
Object.assign(textMetrics, {
  width: (
    /** @type {{ fontSize?: number, fontWeight?: string | number, limit?: number }} */ item,
    /** @type {unknown} */ text,
  ) => {
    const width = measureWidth(String(text ?? ''), Number(item.fontSize ?? 11), isBold(item.fontWeight));
    // Vega cuts the text at its limit, and passes it uncut.
    return item.limit !== undefined && item.limit > 0 ? Math.min(width, item.limit) : width;
  },
});

/**
 * Draws a spec as the last task of this process; afterwards it can no longer compile code.
 * @param {Parameters<typeof render>[0]} payload
 */
export function renderLast(payload) {
  removeCompilers();
  return render(payload);
}

/**
 * Draws a Vega or Vega-Lite spec.
 * @param {Drawing & { spec: Spec, data?: import('../data/load-table.mjs').Source | undefined }}
 *   payload
 */
export function render({ spec, data, ...drawing }) {
  return refusable(async () => {
    guardSpec(spec);
    /** @type {string[]} */
    const warnings = [];
    const read = data && (await (await loadReader()).readRows(data));
    warnings.push(...(read?.notes ?? []));
    const sized = {
      ...spec,
      ...(drawing.width === undefined ? {} : { width: drawing.width }),
      ...(drawing.height === undefined ? {} : { height: drawing.height }),
    };
    return await draw(read ? withData(sized, read) : sized, drawing, warnings);
  });
}

/** DuckDB takes 50 ms to load, and most charts have their rows in the spec. */
function loadReader() {
  return import('./read-rows.mjs');
}

/**
 * Draws a chart from a list of numbers.
 * @param {Drawing & { chart: import('./quick-spec.mjs').QuickChart }} payload
 */
export function quickChart({ chart, ...drawing }) {
  return refusable(() => draw(buildSpec(chart), drawing, []));
}

/** @param {Spec} spec @param {Drawing} drawing @param {string[]} warnings */
async function draw(spec, drawing, warnings) {
  const svg = await toSvg(spec, drawing, warnings);
  if (svg.length > MAX_SVG_CHARS)
    throw new Refusal('spec: the picture has too many marks. Aggregate the data before drawing it.');
  const [width, height] = readSvgSize(svg);
  warnings.push(...warnOfCutTexts(svg, spec));
  if (drawing.format === 'svg') {
    await writeFile(drawing.output, svg);
    return { width, height, warnings };
  }
  if (width * height * drawing.scale ** 2 > MAX_PIXELS)
    throw new Refusal(
      `scale: the picture would have ${Math.round(width * drawing.scale)} × ${Math.round(height * drawing.scale)} pixels; the limit is ${MAX_PIXELS / 1e6} million. Lower scale, width or height.`,
    );
  const picture = rasterize(svg, drawing.scale);
  await writeFile(drawing.output, picture.asPng());
  warnings.push(...warnOfMissingGlyphs(svg));
  return { width: picture.width, height: picture.height, warnings };
}

/** @param {Spec} spec @param {Drawing} drawing @param {string[]} warnings */
async function toSvg(spec, { theme, background }, warnings) {
  const isLite = !String(spec.$schema ?? 'vega-lite').match(/\/vega\/v\d/) && !Array.isArray(spec.marks);
  const config = { ...buildTheme(theme), ...(background === undefined ? {} : { background }) };
  const logger = collectingLogger(warnings);
  /** @type {string[]} */
  const refused = [];
  let svg;
  try {
    // Both libraries' types describe valid specs only; this one is unchecked user input.
    const lite = /** @type {import('vega-lite').TopLevelSpec} */ (/** @type {unknown} */ (spec));
    const full = isLite
      ? compile(lite, { config: /** @type {import('vega-lite').Config} */ (config), logger }).spec
      : spec;
    const shown = background === undefined ? full : { ...full, background };
    const runtime = vega.parse(
      /** @type {import('vega').Spec} */ (shown),
      isLite ? undefined : /** @type {import('vega').Config} */ (config),
      /** @type {object} */ ({ ast: true }),
    );
    const options = {
      expr: interpreter,
      loader: refusingLoader(refused, logger.warn),
      logger,
      renderer: 'none',
    };
    const view = new vega.View(
      runtime,
      /** @type {import('vega').ViewOptions} */ (/** @type {unknown} */ (options)),
    );
    svg = await view.toSVG();
    warnings.push(...warnOfOverflow(view, readSvgSize(svg)));
    view.finalize();
  } catch (error) {
    throw new Refusal(`spec: cannot be drawn. ${getMessage(error)}`);
  }
  if (refused.length > 0)
    throw new Refusal(
      `spec: charts cannot load external data, and the spec references ${JSON.stringify(refused[0]?.slice(0, 100))}. Put the rows in data.values, or pass the file as data.`,
    );
  // A second line of defence behind the loader: resvg would read files that an image references.
  return svg.replace(/<image\b[^>]*>/g, '');
}

/** @param {string} svg @param {number} scale */
function rasterize(svg, scale) {
  const font = {
    // Slow to load, so only for characters that Roboto has no glyphs for.
    loadSystemFonts: !isCovered(svg),
    fontFiles: [ROBOTO.regular, ROBOTO.medium, ROBOTO.italic],
    defaultFontFamily: 'Roboto',
    sansSerifFamily: 'Roboto',
  };
  try {
    return new Resvg(svg, { font, fitTo: { mode: 'zoom', value: scale } }).render();
  } catch (error) {
    // For example a negative size, or control characters in a text.
    throw new Refusal(`spec: cannot be drawn. ${getMessage(error)}`);
  }
}

/**
 * A loader that records each requested address and loads nothing.
 * @param {string[]} refused
 * @param {(text: string) => unknown} warn
 */
function refusingLoader(refused, warn) {
  const refuse = async (/** @type {unknown} */ uri) => {
    refused.push(String(uri));
    throw new Error('Nothing is loaded');
  };
  // Vega catches a rejected link and then reads null in a promise without a rejection handler.
  const sanitize = async (/** @type {unknown} */ uri, /** @type {{ context?: string }} */ use) => {
    if (use.context === 'href') warn('Links of marks were left out: the picture has none.');
    else refused.push(String(uri));
    return {};
  };
  return { load: refuse, sanitize, http: refuse, file: refuse };
}

/** @param {string[]} warnings */
function collectingLogger(warnings) {
  const note = (/** @type {unknown[]} */ ...parts) => {
    const text = parts.map(String).join(' ').slice(0, MAX_WARNING_CHARS);
    if (warnings.length < MAX_WARNINGS && !warnings.includes(text)) warnings.push(text);
    return logger;
  };
  const ignore = () => logger;
  /** @type {import('vega').LoggerInterface} */
  const logger = Object.assign(Object.create(null), {
    level: () => logger,
    error: note,
    warn: note,
    info: ignore,
    debug: ignore,
  });
  return logger;
}

/**
 * Puts the rows where the marks of a Vega or Vega-Lite spec read them.
 * @param {Spec} spec
 * @param {{ rows: object[], times: string[] }} read
 * @returns {Spec}
 */
function withData(spec, { rows, times }) {
  const named = { name: 'data', values: rows };
  // Vega-Lite parses the fields that an encoding uses as times itself.
  if (!Array.isArray(spec.data) && !Array.isArray(spec.marks)) return { ...spec, data: named };
  const parse = Object.fromEntries(times.map((name) => [name, 'date']));
  const others = (Array.isArray(spec.data) ? spec.data : []).filter((entry) => entry?.name !== 'data');
  return { ...spec, data: [{ ...named, format: { parse } }, ...others] };
}

/** @param {string} svg @returns {[number, number]} */
function readSvgSize(svg) {
  const [, width, height] = /<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
  return [Math.ceil(Number(width ?? 0)), Math.ceil(Number(height ?? 0))];
}

/** @param {string | number | undefined} weight */
function isBold(weight) {
  return weight === 'bold' || Number(weight) >= 500;
}

/** @param {unknown} error */
function getMessage(error) {
  return (error instanceof Error ? error.message : String(error)).slice(0, MAX_WARNING_CHARS);
}
