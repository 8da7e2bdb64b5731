import './process-singleton';
import { createLogger } from './log';

/**
 * Wraps a callback for emitters and timers, which do not catch what it throws: errors are logged
 * and do not end the process.
 * @param failed further handling of the error, such as ending the request or stream
 */
export function guarded<Args extends unknown[]>(
  work: (...args: Args) => unknown,
  failed?: (error: unknown) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      work(...args);
    } catch (error) {
      logUncaught(error);
      failed?.(error);
    }
  };
}

/** Logs an error that has no caller to propagate to. */
export function logUncaught(error: unknown): void {
  const log = globalThis.__gateway?.log ?? createLogger((line) => process.stderr.write(line));
  log.error('callback.failed', { error });
}
