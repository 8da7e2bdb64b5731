/**
 * Resolves to null if the promise has not settled in time.
 * @param waitMs null waits without a limit
 */
export function resolveWithin<T>(promise: Promise<T>, waitMs: number | null): Promise<T | null> {
  if (waitMs === null) return promise;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), waitMs);
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
