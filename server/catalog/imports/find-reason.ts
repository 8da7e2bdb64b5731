/** Returns what an upstream's error says for people; empty if it is in none of the usual fields. Pure. */
export function findReason(error: unknown): string {
  for (const where of [error, (error as { error?: unknown } | null)?.error])
    for (const name of ['message', 'detail', 'title', 'error_description', 'error'])
      if (typeof where === 'object' && where !== null && name in where) {
        const value = (where as Record<string, unknown>)[name];
        if (typeof value === 'string') return value;
      }
  return '';
}
