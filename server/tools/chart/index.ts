import { defineTool } from '../sdk/define-tool';
import { quickChart } from './quick-chart';
import { render } from './render';

export const tool = defineTool({
  name: 'chart',
  displayName: 'Charts',
  subtitle: 'Charts and graphs as PNG or SVG',
  description:
    'Draw data: a bar chart, line graph, pie chart, scatter plot or histogram from a few numbers, or any Vega-Lite or Vega specification from a CSV or JSON file, as a PNG or SVG picture.',
  categories: ['data', 'images'],
  version: '1.0.0',
  skills: [quickChart, render],
});
