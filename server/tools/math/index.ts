import { defineTool } from '../sdk/define-tool';
import { evaluate, warmMath } from './evaluate';
import { statistics } from './statistics';
import { units } from './units';

export const tool = defineTool({
  name: 'math',
  displayName: 'Math',
  subtitle: 'Calculator, unit converter and statistics',
  description:
    'Calculate exactly instead of guessing. Evaluate a mathematical expression with variables, matrices, fractions or 64 digits, convert a value from one unit to another (miles to km, Fahrenheit to Celsius, pounds to kg), and compute statistics of a list of numbers such as mean, median, standard deviation, percentiles and linear regression.',
  categories: ['math', 'statistics'],
  version: '1.0.0',
  skills: [evaluate, units, statistics],
  warm: warmMath,
});
