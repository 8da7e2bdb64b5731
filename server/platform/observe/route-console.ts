import { format, stripVTControlCharacters } from 'node:util';
import type { Logger } from '../../kit/log';

const LEVELS = { error: 'error', warn: 'warn', info: 'debug', log: 'debug', debug: 'debug' } as const;
/** The symbol that Next prints before a line. */
const MARK = /^[\s⨯⚠✓○▲»]+/u;

/**
 * Redirects what Next, React and libraries write to the console, and Node's warnings, to the log.
 * @param isStopping whether the process is closing its database connections
 */
export function routeConsole(log: Logger, isStopping: () => boolean): void {
  for (const [method, level] of Object.entries(LEVELS) as [keyof typeof LEVELS, keyof Logger][])
    console[method] = (...parts: unknown[]) => {
      const error = parts.find((part) => part instanceof Error);
      const text = stripVTControlCharacters(format(...parts.filter((part) => part !== error)));
      const message = text.replace(MARK, '').trim();
      // A page that is rendered during a stop: nobody waits for it any more.
      const isCut = isStopping() && isOfClosedPool(error);
      if (message !== '' || error) log[isCut ? 'debug' : level](message || 'console.error', { error });
    };
  process.removeAllListeners('warning');
  process.on('warning', (error) => log.warn('node.warning', { error }));
}

function isOfClosedPool(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && at.code === 'CONNECTION_ENDED') return true;
  return false;
}
