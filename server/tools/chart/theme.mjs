// Default styles for charts; a spec may override them.

/**
 * Okabe and Ito's colour-blind-safe palette; pale colours come last, as they suit thin lines least.
 */
export const COLOURS = [
  '#0072b2',
  '#e69f00',
  '#009e73',
  '#cc79a7',
  '#56b4e9',
  '#d55e00',
  '#8c6bb1',
  '#6b7280',
  '#b8860b',
  '#44aa99',
  '#882255',
  '#ddcc77',
];

/** Between the chart and the edge of the picture. */
export const PADDING = 20;
/** Font sizes in pixels. */
export const SIZES = { title: 18, subtitle: 13, axisTitle: 13, label: 12 };

const FONT = 'Roboto, Helvetica, Arial, sans-serif';

const TONES = {
  light: { background: '#ffffff', title: '#111827', text: '#4b5563', line: '#d1d5db', grid: '#eceff3' },
  dark: { background: '#111827', title: '#f9fafb', text: '#cbd5e1', line: '#475569', grid: '#263244' },
};

/**
 * Builds the Vega and Vega-Lite config of a theme.
 * @param {'light' | 'dark'} name
 */
export function buildTheme(name) {
  const tone = TONES[name];
  return {
    background: tone.background,
    font: FONT,
    padding: PADDING,
    range: { category: COLOURS },
    title: {
      anchor: 'start',
      color: tone.title,
      font: FONT,
      fontSize: SIZES.title,
      fontWeight: 500,
      offset: 16,
      subtitleColor: tone.text,
      subtitleFont: FONT,
      subtitleFontSize: SIZES.subtitle,
      subtitlePadding: 6,
    },
    axis: {
      domainColor: tone.line,
      gridColor: tone.grid,
      labelColor: tone.text,
      labelFont: FONT,
      labelFontSize: SIZES.label,
      labelPadding: 6,
      tickColor: tone.line,
      titleColor: tone.text,
      titleFont: FONT,
      titleFontSize: SIZES.axisTitle,
      titleFontWeight: 500,
      titlePadding: 12,
    },
    axisQuantitative: { domain: false, ticks: false },
    legend: {
      labelColor: tone.text,
      labelFont: FONT,
      labelFontSize: SIZES.label,
      symbolSize: 110,
      titleColor: tone.text,
      titleFont: FONT,
      titleFontSize: 12,
      titleFontWeight: 500,
    },
    header: {
      labelColor: tone.text,
      labelFont: FONT,
      titleColor: tone.text,
      titleFont: FONT,
      titleFontWeight: 500,
    },
    view: { stroke: null },
    mark: { color: COLOURS[0] },
    bar: { cornerRadiusEnd: 2 },
    line: { strokeWidth: 2.5, strokeCap: 'round', strokeJoin: 'round' },
    area: { fillOpacity: 0.75 },
    point: { size: 55, filled: true, opacity: 0.8 },
    text: { color: tone.title, font: FONT, fontSize: 12 },
    arc: { stroke: tone.background, strokeWidth: 2 },
  };
}
