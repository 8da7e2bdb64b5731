import { format, stripVTControlCharacters } from 'node:util';
import type { Logger } from '../../kit/log';

const LEVELS = { error: 'error', warn: 'warn', info: 'debug', log: 'debug', debug: 'debug' } as const;
/** The symbol that Next prints before a line. */
const MARK = /^[\s⨯⚠✓○▲»]+/u;

/**
 * Redirects what Next, React and libraries write to the console, and Node's warnings, to the log.
 */
export function routeConsole(log: Logger): void {
  for (const [method, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, keyof Logger][])
    console[method] = (...parts: unknown[]) => {
      const error = parts.find((part) => part instanceof Error);
      const text = stripVTControlCharacters(format(...parts.filter((part) => part !== error)));
      const message = text.replace(MARK, '').trim();
      if (message !== '' || error) log[level](message || 'console.error', { error });
    };
  process.removeAllListeners('warning');
  process.on('warning', (error) => log.warn('node.warning', { error }));
}
