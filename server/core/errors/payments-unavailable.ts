/**
 * Checks an error's class by name. Next bundles routes and instrumentation separately, so a process
 * has the class twice and `instanceof` fails.
 */
export function isNamed(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && value.name === name;
}

/**
 * The payment provider did not respond, or responded that it is unavailable. The requested
 * operation may or may not have happened.
 */
export class PaymentsUnavailable extends Error {
  override readonly name = 'PaymentsUnavailable';

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isNamed(value, 'PaymentsUnavailable');
  }
}
