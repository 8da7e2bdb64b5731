// Builds a complete Vega-Lite spec from a list of numbers.

import { Refusal } from '../../kit/worker-refusal.mjs';
import { fitLegend, fitLines, fitTitle, getWidest } from './fit-text.mjs';
import { MAX_SLICES } from './limits.mjs';
import { SIZES } from './theme.mjs';
import { readTime, timeTicks } from './time-axis.mjs';

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
const MIN_TITLE = 30;
/** Pixels at which category labels are cut, and the share of the picture that they may take. */
const LABEL_LIMIT = 160;
const LABEL_SHARE = 0.4;
const SLANT = 40;
/** Between a pie and the edge of its part of the picture: room for the shares. */
const SHARE_PIXELS = 30;
/** A smaller pie has no room for its shares. */
const MIN_SIDE_WITH_SHARES = 200;

/**
 * @param {QuickChart} chart
 * @returns {Spec}
 * @throws {Refusal} if the labels and values do not match
 */
export function buildSpec(chart) {
  check(chart);
  const { width, height } = chart;
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
    ...fitTitle(chart),
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
      series: getSeriesName({ name }, index),
      index,
    })),
  );
}

/** @param {{ name?: string | undefined }} series @param {number} index */
function getSeriesName({ name }, index) {
  return name ?? `Series ${index + 1}`;
}

/** Bars, lines and areas. @param {QuickChart} chart @returns {Spec} */
function cartesian(chart) {
  const { type, labels = [], series, stacked, horizontal, xTitle, yTitle } = chart;
  const isBar = type === 'bar';
  const isTime = !isBar && labels.every((label) => !Number.isNaN(readTime(label)));
  const across = horizontal && isBar;
  const category = {
    field: 'label',
    type: isTime ? 'temporal' : 'ordinal',
    sort: null,
    axis: {
      ...fitAxisTitle(xTitle, chart, across),
      ...(isTime
        ? { grid: false, labelOverlap: true, ...timeTicks(labels, chart.width - FRAME_PIXELS) }
        : categoryAxis(chart, across)),
    },
    // Lines start at the axis; bars need padding on both sides.
    ...(isTime ? { scale: { type: 'utc' } } : isBar ? {} : { scale: { type: 'point', padding: 0.2 } }),
  };
  const stacks = stacked && series.length > 1 && type !== 'line';
  const amount = {
    field: 'value',
    type: 'quantitative',
    stack: stacks ? 'zero' : null,
    axis: { ...amountAxis(chart), ...fitAxisTitle(yTitle, chart, !across) },
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
  const texts = isBar && chart.showValues ? [valueLabels(across, stacks, amount)] : [];
  const rows = buildRows(chart);
  const values = isTime ? rows.map((row) => ({ ...row, label: readTime(row.label) })) : rows;
  return { data: { values }, encoding, layer: [{ mark }, ...texts] };
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
function categoryAxis({ labels = [], width, height }, across) {
  const base = { grid: false, ticks: false };
  const widest = getWidest(labels);
  if (across) return { ...base, labelLimit: Math.max(LABEL_LIMIT, width * LABEL_SHARE) };
  const room = (width - FRAME_PIXELS) / Math.max(1, labels.length);
  if (widest + 8 <= room) return { ...base, labelAngle: 0, labelLimit: 0 };
  return {
    ...base,
    labelLimit: Math.min(LABEL_LIMIT, (height * LABEL_SHARE) / Math.sin((SLANT * Math.PI) / 180)),
    labelAngle: -SLANT,
    labelAlign: 'right',
    labelBaseline: 'middle',
    labelOverlap: labels.length > MAX_SLANTED_LABELS,
  };
}

/**
 * @param {string | undefined} title
 * @param {QuickChart} chart
 * @param {boolean} upright
 */
function fitAxisTitle(title, { width, height }, upright) {
  if (title === undefined) return { title: null };
  const [length, maxHeight] = upright ? [height / 2, width / 6] : [width - FRAME_PIXELS, height / 6];
  const room = { size: SIZES.axisTitle, bold: true, maxWidth: Math.max(MIN_TITLE, length), maxHeight };
  return { title: fitLines(title, room), titleLimit: room.maxWidth };
}

/** @param {QuickChart} chart */
function colours(chart) {
  if (chart.series.length < 2) return {};
  const names = chart.series.map(getSeriesName);
  const place = { orient: 'top', direction: 'horizontal', offset: 8 };
  const legend = { title: null, ...place, symbolType: 'circle', ...fitLegend(names, chart) };
  return { color: { field: 'series', type: 'nominal', sort: null, legend } };
}

/** @param {QuickChart} chart @returns {Spec} */
function pie(chart) {
  const { type, labels = [], width, height } = chart;
  const values = buildRows(chart).filter(({ value }) => value !== null && value > 0);
  const total = values.reduce((sum, { value }) => sum + (value ?? 0), 0);
  if (total === 0)
    throw new Refusal('series.0.values: every value is zero or missing, so there are no slices to draw.');
  const rows = values.map((row) => ({ ...row, share: (row.value ?? 0) / total }));
  const hasShares = Math.min(width, height) >= MIN_SIDE_WITH_SHARES;
  const radius = `max(8, min(width, height) / 2 - ${hasShares ? SHARE_PIXELS : 0})`;
  const inner = { expr: `${type === 'donut' ? 0.58 : 0} * ${radius}` };
  const limit = Math.min(getWidest(labels) + 1, width * LABEL_SHARE);
  return {
    data: { values: rows },
    encoding: {
      theta: { field: 'value', type: 'quantitative', stack: true },
      order: { field: 'value', type: 'quantitative', sort: 'descending' },
      color: {
        field: 'label',
        type: 'nominal',
        sort: null,
        legend: {
          title: chart.xTitle ?? null,
          orient: 'right',
          symbolType: 'circle',
          rowPadding: 6,
          labelLimit: limit,
          titleLimit: width * LABEL_SHARE,
        },
      },
    },
    layer: [
      { mark: { type: 'arc', outerRadius: { expr: radius }, innerRadius: inner } },
      ...(hasShares ? [sliceLabels(radius)] : []),
    ],
  };
}

/** @param {string} radius @returns {Spec} */
function sliceLabels(radius) {
  const text = { field: 'share', type: 'quantitative', format: '.1~%' };
  return {
    // Slices below 3% have no room for a label; the legend names them.
    transform: [{ calculate: 'datum.share >= 0.03 ? datum.share : null', as: 'shown' }],
    mark: { type: 'text', radius: { expr: `${radius} + 16` }, fontSize: 12 },
    encoding: {
      text: { condition: { test: 'datum.shown !== null', ...text }, value: '' },
      color: { value: '#6b7280' },
    },
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
      x: {
        field: 'x',
        type: 'quantitative',
        axis: { ...axis, ...fitAxisTitle(xTitle, chart, false) },
        scale,
      },
      y: {
        field: 'value',
        type: 'quantitative',
        axis: { ...axis, ...fitAxisTitle(yTitle, chart, true) },
        scale,
      },
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
        axis: { grid: false, format: NUMBER_FORMAT, ...fitAxisTitle(xTitle, chart, false) },
      },
      y: {
        aggregate: 'count',
        type: 'quantitative',
        stack: null,
        axis: { format: NUMBER_FORMAT, tickCount: 6, ...fitAxisTitle(yTitle ?? 'Count', chart, true) },
      },
      ...colours(chart),
    },
  };
}
