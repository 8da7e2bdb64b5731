/**
 * Collects uncaught exceptions and rejections while a test runs; in production an exception would
 * end the process.
 */
export function watchUncaught() {
  /** Exceptions and unhandled rejections; the process survives the latter. */
  const errors: unknown[] = [];
  const exceptions: unknown[] = [];
  const onException = (error: unknown) => {
    errors.push(error);
    exceptions.push(error);
  };
  const onRejection = (error: unknown) => void errors.push(error);
  process.on('uncaughtExceptionMonitor', onException).on('unhandledRejection', onRejection);
  return {
    errors,
    exceptions,
    stop: () => process.off('uncaughtExceptionMonitor', onException).off('unhandledRejection', onRejection),
  };
}
