import { defineTool } from '../sdk/define-tool';
import { runJavascript } from './run-javascript';

export const tool = defineTool({
  name: 'code',
  displayName: 'Code sandbox',
  subtitle: 'JavaScript, run safely',
  description:
    'Execute code that you or your agent wrote, where it can do no harm. JavaScript runs in an engine of its own with bounded time and memory, gets your data as variables, streams what it writes to the console, and returns its value as JSON.',
  categories: ['developer', 'data'],
  version: '1.0.0',
  skills: [runJavascript],
});
