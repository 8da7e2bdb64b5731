import './gateway-slot';
import { createLogger } from './log';

/**
 * A callback for emitters and timers, which have no `try` around what they call: what it raises is
 * logged and ends nothing.
 * @param failed what else is to be done then, such as ending the one request or stream
 */
export function guarded<Args extends unknown[]>(
  work: (...args: Args) => unknown,
  failed?: (error: unknown) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      work(...args);
    } catch (error) {
      reportRaised(error);
      failed?.(error);
    }
  };
}

/** Logs an error that has nobody to be thrown to. */
export function reportRaised(error: unknown): void {
  const log = globalThis.__gateway?.log ?? createLogger((line) => process.stderr.write(line));
  log.error('callback.failed', { error });
}
