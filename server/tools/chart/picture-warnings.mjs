// Reports what a picture does not show, to callers that do not see it.
import { describeMissingGlyphs } from '../sdk/missing-glyphs.mjs';

const MAX_NAMED = 3;
const MAX_NAMED_CHARS = 60;
/** Rounding of positions. */
const TOLERANCE = 1;

/**
 * Warns of texts that Vega cut, which end in an ellipsis that the spec does not have.
 * @param {string} svg
 * @param {unknown} spec
 * @returns {string[]}
 */
export function warnOfCutTexts(svg, spec) {
  const cut = [...new Set([...svg.matchAll(/>([^<>]*…)<\/(?:text|tspan)>/g)].map(([, text]) => text ?? ''))];
  if (cut.length === 0) return [];
  const written = JSON.stringify(spec);
  const lost = cut.filter((text) => !written.includes(text));
  if (lost.length === 0) return [];
  const named = lost.slice(0, MAX_NAMED).map((text) => `“${text.slice(0, MAX_NAMED_CHARS)}”`);
  const more = lost.length > MAX_NAMED ? ` and ${lost.length - MAX_NAMED} more` : '';
  return [`Texts were cut to fit: ${named.join(', ')}${more}. Make the chart larger, or the texts shorter.`];
}

/**
 * Warns of a chart that extends beyond its picture.
 * @param {import('vega').View} view
 * @param {[number, number]} size of the picture
 * @returns {string[]}
 */
export function warnOfOverflow(view, [width, height]) {
  // The bounds are missing from the types of the scenegraph.
  const { root } = /** @type {{ root: { bounds: { x1: number, y1: number, x2: number, y2: number } } }} */ (
    /** @type {unknown} */ (view.scenegraph())
  );
  const padding = view.padding();
  const { left = 0, top = 0 } = typeof padding === 'number' ? { left: padding, top: padding } : padding;
  const [x, y] = [view.origin()[0] + left, view.origin()[1] + top];
  const { x1, y1, x2, y2 } = root.bounds;
  const fits =
    x1 + x >= -TOLERANCE &&
    y1 + y >= -TOLERANCE &&
    x2 + x <= width + TOLERANCE &&
    y2 + y <= height + TOLERANCE;
  return fits
    ? []
    : ['Part of the chart is outside of the picture. Make the chart larger, or its texts shorter.'];
}

/**
 * Warns of characters that a PNG shows as boxes.
 * @param {string} svg
 * @returns {string[]}
 */
export function warnOfMissingGlyphs(svg) {
  const warning = describeMissingGlyphs(svg);
  return warning === null ? [] : [`${warning} Use format svg, which is drawn with the fonts of its viewer.`];
}
