import { redact } from './log-line';

const MAX_CHARS = 500;
/**
 * Of Stripe, which repeats the key it refuses in parts, and addresses of people in the answers of
 * mail servers.
 */
const FOREIGN = [/\b(sk|rk|pk|whsec)_[0-9A-Za-z_*]+/g, /[^\s<>"@]+@[^\s<>"@]+/g];

/** What failed, in a line for the operator: without stack, secrets or addresses of people. */
export function failureText(error: unknown): string {
  const { name, message, cause } =
    error instanceof Error ? error : { name: 'Error', message: String(error), cause: null };
  const why = cause instanceof Error && cause.message !== message ? ` (${cause.message})` : '';
  let text = redact(`${name}: ${message}${why}`.replace(/\s+/g, ' '));
  for (const pattern of FOREIGN) text = text.replace(pattern, '[redacted]');
  return text.slice(0, MAX_CHARS);
}
