/**
 * Next bundles routes and instrumentation apart: a class is there twice in a process, and known by
 * its name.
 */
export function isNamed(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && value.name === name;
}

/**
 * The provider did not answer, or answered that it cannot now: what was asked may have happened or
 * not.
 */
export class PaymentsUnavailable extends Error {
  override readonly name = 'PaymentsUnavailable';

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isNamed(value, 'PaymentsUnavailable');
  }
}
