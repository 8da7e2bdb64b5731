import type { Provider } from '../../platform/settings/providers';

const MAX_VALUE_CHARS = 512;
/** Characters of the key that a mask shows at each end. */
const SHOWN_CHARS = 4;
/** Characters that a mask hides at least; it hides all of a shorter key. */
const HIDDEN_CHARS = 12;
const HIDDEN = '••••••••';

/**
 * Returns what is wrong with a provider key; null if nothing is. The text never repeats the key.
 * The value is not trimmed or corrected: a changed key would not work. Pure.
 */
export function findValueProblem(
  provider: Pick<Provider, 'displayName' | 'acquireUrl' | 'keyPattern'>,
  value: string,
): string | null {
  if (value === '') return 'Must not be empty.';
  if (/^\s|\s$/.test(value)) return 'Must not begin or end with white space.';
  if (!/^[\x21-\x7e]*$/.test(value)) return 'Must be printable ASCII characters without white space.';
  if (value.length > MAX_VALUE_CHARS) return `Must have at most ${MAX_VALUE_CHARS} characters.`;
  if (!provider.keyPattern.test(value))
    return `Does not look like a key of ${provider.displayName}: copy the complete key from ${provider.acquireUrl}`;
  return null;
}

/**
 * Masks a key for display, as `sk-p…9xQa`. A short key is hidden completely, and the length never
 * shows. Pure.
 */
export function maskProviderKey(value: string): string {
  if (value.length < 2 * SHOWN_CHARS + HIDDEN_CHARS) return HIDDEN;
  return `${value.slice(0, SHOWN_CHARS)}…${value.slice(-SHOWN_CHARS)}`;
}
