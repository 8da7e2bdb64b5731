/**
 * Collects what is raised outside every `try` while a test runs: in production it would end the
 * process.
 */
export function watchUncaught() {
  /** Rejections too, which are survived, although what they belonged to may never end. */
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
