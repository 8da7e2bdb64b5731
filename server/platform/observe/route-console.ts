import { format, stripVTControlCharacters } from 'node:util';
import type { Logger } from '../../kit/log';

const LEVELS = { error: 'error', warn: 'warn', info: 'info', log: 'info', debug: 'debug' } as const;
/** The mark that Next puts before a line for people. */
const MARK = /^[\s⨯⚠✓○▲»]+/u;

/**
 * From now on what Next, React and libraries write to the console, and Node's warnings, are lines
 * of the log.
 */
export function routeConsole(log: Logger): void {
  for (const [method, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, keyof Logger][])
    console[method] = (...parts: unknown[]) => {
      const error = parts.find((part) => part instanceof Error);
      const text = stripVTControlCharacters(format(...parts.filter((part) => part !== error)));
      const message = text.replace(MARK, '').trim();
      if (message !== '' || error) log[level](message || 'an error was written to the console', { error });
    };
  process.removeAllListeners('warning');
  process.on('warning', (error) => log.warn('a warning of Node', { error }));
}
