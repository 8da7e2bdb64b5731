import type { Provider } from '../../platform/settings/providers';

const MAX_VALUE_CHARS = 512;
/** So much of a mask is the key's own: its first and its last characters. */
const SHOWN_CHARS = 4;
/** What a mask hides at least; shorter keys are hidden whole. */
const HIDDEN_CHARS = 12;
const HIDDEN = '••••••••';

/**
 * What is wrong with a provider key, in words for whoever sent it; null where nothing is. Pure; never repeats the key.
 * Nothing is trimmed or mended: a key that was changed on the way is no key.
 */
export function findValueProblem(
  provider: Pick<Provider, 'displayName' | 'acquireUrl' | 'keyPattern'>,
  value: string,
): string | null {
  if (value === '') return 'Must not be empty.';
  if (/^\s|\s$/.test(value)) return 'Has white space at its beginning or end: send the key alone.';
  if (!/^[\x21-\x7e]*$/.test(value)) return 'Must be printable ASCII characters without white space.';
  if (value.length > MAX_VALUE_CHARS) return `Must have at most ${MAX_VALUE_CHARS} characters.`;
  if (!provider.keyPattern.test(value))
    return `Does not look like a key of ${provider.displayName}: copy it whole from ${provider.acquireUrl}`;
  return null;
}

/** What is shown of a key for ever: `sk-p…9xQa`; nothing of a short one, and never its length. Pure. */
export function maskOf(value: string): string {
  if (value.length < 2 * SHOWN_CHARS + HIDDEN_CHARS) return HIDDEN;
  return `${value.slice(0, SHOWN_CHARS)}…${value.slice(-SHOWN_CHARS)}`;
}
