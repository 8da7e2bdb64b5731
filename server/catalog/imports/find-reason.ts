/** Returns the words of an upstream's error; empty if no usual field has them. Pure. */
export function findReason(error: unknown): string {
  for (const where of [error, (error as { error?: unknown } | null)?.error])
    for (const name of ['message', 'detail', 'title', 'error_description', 'error'])
      if (typeof where === 'object' && where !== null && name in where) {
        const value = (where as Record<string, unknown>)[name];
        if (typeof value === 'string') return value;
      }
  return '';
}
