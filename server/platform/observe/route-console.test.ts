import { afterEach, expect, it } from 'vitest';
import { createLogger } from '../../kit/log';
import { routeConsole } from './route-console';

const METHODS = ['error', 'warn', 'info', 'log', 'debug'] as const;
const before = METHODS.map((method) => [method, console[method]] as const);
const listeners = process.listeners('warning');
afterEach(() => {
  for (const [method, write] of before) console[method] = write;
  process.removeAllListeners('warning');
  for (const listener of listeners) process.on('warning', listener);
});

it('everything written to the console becomes one line of JSON, errors with their stack', async () => {
  const lines: string[] = [];
  routeConsole(
    createLogger((line) => lines.push(line)),
    () => false,
  );
  console.error(' \u001b[31m\u001b[1m⨯\u001b[22m\u001b[39m', new TypeError('Invalid URL\nof two lines'));
  console.error('a failure of tg_live_0123456789abcdef\nin %s', 'two lines', { code: 1 });
  console.warn(' ⚠ beware');
  console.log('');
  process.emitWarning('too many listeners');
  await new Promise(setImmediate);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', error: { name: 'TypeError', message: 'Invalid URL\nof two lines' } },
    { level: 'error', message: 'a failure of tg_live_[redacted]\nin two lines { code: 1 }' },
    { level: 'warn', message: 'beware' },
    { level: 'warn', error: { message: 'too many listeners' } },
  ]);
  for (const line of lines) expect(line.trimEnd()).not.toContain('\n');
});

it('a query that ends with the connections of a stopping process is not an error of the log', () => {
  const lines: string[] = [];
  let isStopping = false;
  routeConsole(
    createLogger((line) => lines.push(line)),
    () => isStopping,
  );
  const cause = Object.assign(new Error('write CONNECTION_ENDED'), { code: 'CONNECTION_ENDED' });
  const failed = new Error('a page failed', { cause: new Error('a query failed', { cause }) });
  console.error(failed);
  isStopping = true;
  console.error(failed);
  console.error(new Error('something else'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', error: { message: 'a page failed' } },
    { level: 'error', error: { message: 'something else' } },
  ]);
});
