import { type GatewayError, ownError } from '../errors.js';

/**
 * What was typed cannot be understood: exit code 2, before anything was sent.
 * @param fields the fields of the input that are wrong
 */
export function usageError(
  message: string,
  hint: string,
  fields?: { path: string; message: string }[],
): GatewayError {
  return ownError({ code: 'USAGE', message, type: 'validation', hint, ...(fields && { fields }) });
}

/** Ctrl-C: why a signal was aborted. */
export class Interrupted extends Error {
  constructor() {
    super('Interrupted.');
  }
}
