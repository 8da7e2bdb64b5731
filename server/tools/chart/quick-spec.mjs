// Builds a complete Vega-Lite spec from a list of numbers.

import { Refusal } from '../../kit/worker-refusal.mjs';
import { measureWidth } from '../sdk/roboto.mjs';
import { MAX_SLICES } from './limits.mjs';

/**
 * @typedef {object} QuickChart
 * @property {'bar' | 'line' | 'area' | 'pie' | 'donut' | 'scatter' | 'histogram'} type
 * @property {string[] | undefined} [labels]
 * @property {{ name?: string | undefined, values: (number | null)[], x?: number[] | undefined
 *   }[]} series
 * @property {string | undefined} [title]
 * @property {string | undefined} [subtitle]
 * @property {string | undefined} [xTitle]
 * @property {string | undefined} [yTitle]
 * @property {boolean} stacked
 * @property {boolean} horizontal
 * @property {boolean} showValues
 * @property {number} bins
 * @property {number} width
 * @property {number} height
 */

/** @typedef {Record<string, unknown>} Spec */

const LABEL_FONT_SIZE = 12;
/** Width that the axis and padding take up. */
const FRAME_PIXELS = 120;
/** With more points than this, markers would hide the line. */
const MAX_MARKED_POINTS = 40;
/** All digits of a number, without floating-point noise. */
const NUMBER_FORMAT = ',.12~g';
/** From this value on, an axis shows 2.5M instead of 2,500,000. */
const MANY = 1_000_000;
/** Up to this many slanted labels fit; beyond it Vega drops overlapping ones. */
const MAX_SLANTED_LABELS = 30;
const DATE = /^\d{4}-\d\d(-\d\d)?(T[\d:.]+Z?)?$/;

/**
 * @param {QuickChart} chart
 * @returns {Spec}
 * @throws {Refusal} if the labels and values do not match
 */
export function buildSpec(chart) {
  check(chart);
  const { title, subtitle, width, height } = chart;
  const body = isRound(chart)
    ? pie(chart)
    : chart.type === 'histogram'
      ? histogram(chart)
      : chart.type === 'scatter'
        ? scatter(chart)
        : cartesian(chart);
  return {
    width,
    height,
    autosize: { type: 'fit', contains: 'padding' },
    ...(title === undefined
      ? {}
      : { title: { text: title, ...(subtitle === undefined ? {} : { subtitle }) } }),
    ...body,
  };
}

/** @param {QuickChart} chart */
function isRound({ type }) {
  return type === 'pie' || type === 'donut';
}

/** @param {QuickChart} chart */
function check(chart) {
  const { type, labels, series } = chart;
  for (const [index, { values, x }] of series.entries()) {
    if (type === 'scatter' && x?.length !== values.length)
      throw new Refusal(
        `series.${index}.x: a scatter chart needs one x for each of the ${values.length} values.`,
      );
    if (type === 'scatter' || type === 'histogram') continue;
    if (labels === undefined) throw new Refusal(`labels: a ${type} chart needs one label for each value.`);
    if (values.length !== labels.length)
      throw new Refusal(
        `series.${index}.values: there are ${values.length} values for ${labels.length} labels. Pass one value for each label.`,
      );
  }
  if (!isRound(chart)) return;
  if (series.length > 1)
    throw new Refusal(`series: a ${type} chart shows one series. Use a bar chart for several.`);
  if ((labels?.length ?? 0) > MAX_SLICES)
    throw new Refusal(
      `labels: a ${type} chart shows at most ${MAX_SLICES} slices. Use a bar chart, or combine the small slices.`,
    );
  if (series[0]?.values.some((value) => value !== null && value < 0))
    throw new Refusal(`series.0.values: a ${type} chart cannot show negative values. Use a bar chart.`);
}

/** @param {QuickChart} chart */
function buildRows({ labels, series }) {
  return series.flatMap(({ name, values, x }, index) =>
    values.map((value, at) => ({
      label: labels?.[at] ?? '',
      ...(x === undefined ? {} : { x: x[at] }),
      value,
      series: name ?? `Series ${index + 1}`,
      index,
    })),
  );
}

/** Bars, lines and areas. @param {QuickChart} chart @returns {Spec} */
function cartesian(chart) {
  const { type, labels = [], series, stacked, horizontal, xTitle, yTitle } = chart;
  const isBar = type === 'bar';
  const isTime = !isBar && labels.every((label) => DATE.test(label));
  const across = horizontal && isBar;
  const category = {
    field: 'label',
    type: isTime ? 'temporal' : 'ordinal',
    sort: null,
    title: xTitle ?? null,
    axis: isTime ? { grid: false, labelOverlap: true } : categoryAxis(chart, across),
    // Lines start at the axis; bars need padding on both sides.
    ...(isBar || isTime ? {} : { scale: { type: 'point', padding: 0.2 } }),
  };
  const stacks = stacked && series.length > 1 && type !== 'line';
  const amount = {
    field: 'value',
    type: 'quantitative',
    title: yTitle ?? null,
    stack: stacks ? 'zero' : null,
    axis: amountAxis(chart),
    scale: { zero: type !== 'line', nice: true },
  };
  const side =
    isBar && series.length > 1 && !stacks
      ? { [across ? 'yOffset' : 'xOffset']: { field: 'series', sort: null } }
      : {};
  // Stacks the first series at the bottom.
  const order = stacks ? { order: { field: 'index', type: 'quantitative' } } : {};
  const axes = { [across ? 'y' : 'x']: category, [across ? 'x' : 'y']: amount };
  const encoding = { ...axes, ...side, ...order, ...colours(chart) };
  const mark = buildMark(chart, stacks);
  const values = isBar && chart.showValues ? [valueLabels(across, stacks, amount)] : [];
  return { data: { values: buildRows(chart) }, encoding, layer: [{ mark }, ...values] };
}

/** @param {QuickChart} chart */
function amountAxis({ series }) {
  const largest = Math.max(...series.flatMap(({ values }) => values.map((value) => Math.abs(value ?? 0))));
  // SI abbreviates a billion as G; business readers expect B.
  const short = { labelExpr: "replace(format(datum.value, '.4~s'), 'G', 'B')" };
  return { tickCount: 6, ...(largest < MANY ? { format: NUMBER_FORMAT } : short) };
}

/** @param {QuickChart} chart @param {boolean} stacks */
function buildMark({ type, labels = [], series }, stacks) {
  if (type === 'bar') return { type: 'bar' };
  const point = labels.length <= MAX_MARKED_POINTS ? { size: 45, opacity: 1 } : false;
  if (type === 'line') return { type: 'line', point };
  const fillOpacity = stacks ? 0.85 : series.length > 1 ? 0.35 : 0.3;
  return { type: 'area', line: { strokeWidth: 2 }, fillOpacity };
}

/** @param {boolean} across @param {boolean} stacks @param {Spec} amount @returns {Spec} */
function valueLabels(across, stacks, amount) {
  const place = across ? { align: 'left', dx: 5 } : { baseline: 'bottom', dy: -4 };
  return {
    mark: { type: 'text', ...(stacks ? { baseline: 'middle' } : place), fontSize: 11 },
    encoding: {
      text: { field: 'value', type: 'quantitative', format: NUMBER_FORMAT },
      // Centred within a stacked segment, otherwise at the end of the bar.
      ...(stacks ? { [across ? 'x' : 'y']: { ...amount, bandPosition: 0.5 } } : {}),
      color: { value: stacks ? '#ffffff' : '#6b7280' },
    },
  };
}

/**
 * Horizontal labels where they fit, otherwise slanted; vertical ones are hard to read.
 * @param {QuickChart} chart
 * @param {boolean} across
 */
function categoryAxis({ labels = [], width }, across) {
  const base = { grid: false, ticks: false, labelLimit: 160 };
  if (across) return base;
  const widest = Math.max(0, ...labels.map((label) => measureWidth(label, LABEL_FONT_SIZE)));
  const room = (width - FRAME_PIXELS) / Math.max(1, labels.length);
  if (widest + 8 <= room) return { ...base, labelAngle: 0 };
  return {
    ...base,
    labelAngle: -40,
    labelAlign: 'right',
    labelBaseline: 'middle',
    labelOverlap: labels.length > MAX_SLANTED_LABELS,
  };
}

/** @param {QuickChart} chart */
function colours({ series }) {
  if (series.length < 2) return {};
  const legend = { title: null, orient: 'top', direction: 'horizontal', offset: 8, symbolType: 'circle' };
  return { color: { field: 'series', type: 'nominal', sort: null, legend } };
}

/** @param {QuickChart} chart @returns {Spec} */
function pie(chart) {
  const { type, width, height } = chart;
  const values = buildRows(chart).filter(({ value }) => value !== null && value > 0);
  const total = values.reduce((sum, { value }) => sum + (value ?? 0), 0);
  if (total === 0)
    throw new Refusal('series.0.values: every value is zero or missing, so there are no slices to draw.');
  const rows = values.map((row) => ({ ...row, share: (row.value ?? 0) / total }));
  const radius = Math.max(40, Math.min(width - 200, height - 110) / 2);
  const inner = type === 'donut' ? radius * 0.58 : 0;
  const text = { field: 'share', type: 'quantitative', format: '.1~%' };
  return {
    data: { values: rows },
    encoding: {
      theta: { field: 'value', type: 'quantitative', stack: true },
      order: { field: 'value', type: 'quantitative', sort: 'descending' },
      color: {
        field: 'label',
        type: 'nominal',
        sort: null,
        legend: { title: chart.xTitle ?? null, orient: 'right', symbolType: 'circle', rowPadding: 6 },
      },
    },
    layer: [
      { mark: { type: 'arc', outerRadius: radius, innerRadius: inner } },
      {
        // Slices below 3% have no room for a label; the legend names them.
        transform: [{ calculate: 'datum.share >= 0.03 ? datum.share : null', as: 'shown' }],
        mark: { type: 'text', radius: radius + 20, fontSize: 12 },
        encoding: {
          text: { condition: { test: 'datum.shown !== null', ...text }, value: '' },
          color: { value: '#6b7280' },
        },
      },
    ],
  };
}

/** @param {QuickChart} chart @returns {Spec} */
function scatter(chart) {
  const { xTitle, yTitle } = chart;
  const axis = { format: NUMBER_FORMAT, tickCount: 6 };
  const scale = { zero: false, nice: true };
  return {
    data: { values: buildRows(chart) },
    mark: { type: 'point', filled: true, opacity: 0.8 },
    encoding: {
      x: { field: 'x', type: 'quantitative', title: xTitle ?? null, axis, scale },
      y: { field: 'value', type: 'quantitative', title: yTitle ?? null, axis, scale },
      ...colours(chart),
    },
  };
}

/** @param {QuickChart} chart @returns {Spec} */
function histogram(chart) {
  const { xTitle, yTitle, bins, series } = chart;
  return {
    data: { values: buildRows(chart) },
    mark: { type: 'bar', binSpacing: 1, cornerRadiusEnd: 0, opacity: series.length > 1 ? 0.6 : 1 },
    encoding: {
      x: {
        field: 'value',
        type: 'quantitative',
        bin: { maxbins: bins },
        title: xTitle ?? null,
        axis: { grid: false, format: NUMBER_FORMAT },
      },
      y: {
        aggregate: 'count',
        type: 'quantitative',
        stack: null,
        title: yTitle ?? 'Count',
        axis: { format: NUMBER_FORMAT, tickCount: 6 },
      },
      ...colours(chart),
    },
  };
}
