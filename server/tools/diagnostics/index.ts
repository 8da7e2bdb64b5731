import { defineTool } from '../sdk/define-tool';
import { background } from './background';
import { echo } from './echo';
import { flaky } from './flaky';
import { sleep } from './sleep';
import { spend } from './spend';

export const tool = defineTool({
  name: 'diagnostics',
  displayName: 'Diagnostics',
  subtitle: 'Test your key, timeouts, billing and error handling',
  description:
    'Test calls for everyone who connects to this gateway. Echo a message to check the API key and the connection, sleep for some seconds to try out streaming, background jobs and cancelling, spend a chosen small amount to check billing and budgets, or make a call fail on purpose to check retries and error handling.',
  categories: ['developer', 'testing'],
  version: '1.0.0',
  skills: [echo, sleep, background, spend, flaky],
});
