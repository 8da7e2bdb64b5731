// Fits titles and legends into the picture of a quick chart.
import { measureWidth } from '../sdk/roboto.mjs';
import { wrapText } from '../sdk/wrap-text.mjs';
import { PADDING, SIZES } from './theme.mjs';

const LINE_GAP = 2;
/** Of a legend entry: symbol, its distance to the label, and the distance to the next entry. */
const ENTRY_PIXELS = 36;
const ENTRY_HEIGHT = 18;
/** The length to which legend labels are cut if all of them would take too many rows. */
const SHORT_LABEL = 160;
/** The share of the picture that a legend above the plot may take. */
const LEGEND_SHARE = 0.3;

/**
 * Wraps a text; Vega cuts the last line at its limit if the text needs more lines.
 * @param {string} text
 * @param {{ size: number, bold?: boolean, maxWidth: number, maxHeight: number }} room in pixels
 * @returns {string | string[]}
 */
export function fitLines(text, { size, bold = false, maxWidth, maxHeight }) {
  const rows = Math.max(1, Math.floor(maxHeight / (size + LINE_GAP)));
  const lines = wrapText(text, { size, bold, maxWidth });
  const shown = lines.length > rows ? [...lines.slice(0, rows - 1), lines.slice(rows - 1).join(' ')] : lines;
  return shown.length === 1 ? text : shown;
}

/**
 * @param {{ title?: string | undefined, subtitle?: string | undefined, width: number,
 *   height: number }} chart
 */
export function fitTitle({ title, subtitle, width, height }) {
  if (title === undefined) return {};
  const maxWidth = Math.max(1, width - 2 * PADDING);
  const text = fitLines(title, { size: SIZES.title, bold: true, maxWidth, maxHeight: height / 5 });
  const more =
    subtitle === undefined
      ? {}
      : { subtitle: fitLines(subtitle, { size: SIZES.subtitle, maxWidth, maxHeight: height / 6 }) };
  return { title: { text, ...more, limit: maxWidth } };
}

/**
 * Arranges the names of the series above the plot in columns.
 * @param {readonly string[]} names
 * @param {{ width: number, height: number }} chart
 */
export function fitLegend(names, { width, height }) {
  const room = width - 2 * PADDING;
  const widest = Math.min(getWidest(names), room - ENTRY_PIXELS);
  const arrange = (/** @type {number} */ labelLimit) => {
    const columns = Math.max(1, Math.floor(room / (labelLimit + ENTRY_PIXELS)));
    return { labelLimit: Math.max(1, Math.ceil(labelLimit) + 1), columns };
  };
  const full = arrange(widest);
  const isLow = Math.ceil(names.length / full.columns) * ENTRY_HEIGHT <= height * LEGEND_SHARE;
  return isLow ? full : arrange(Math.min(widest, SHORT_LABEL));
}

/** Pixels of the longest label. @param {readonly string[]} labels */
export function getWidest(labels) {
  return Math.max(0, ...labels.map((label) => measureWidth(label, SIZES.label)));
}
