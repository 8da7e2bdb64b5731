import { createError, type GatewayError } from '../errors.js';

/**
 * Creates the error for an invalid command line (exit code 2).
 * @param fields the invalid fields of the input
 */
export function usageError(
  message: string,
  hint: string,
  fields?: { path: string; message: string }[],
): GatewayError {
  return createError({ code: 'USAGE', message, type: 'validation', hint, ...(fields && { fields }) });
}

/** The abort reason after Ctrl-C. */
export class Interrupted extends Error {
  constructor() {
    super('Interrupted.');
  }
}
