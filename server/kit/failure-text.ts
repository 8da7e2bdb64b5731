import { redact } from './log-line';

const MAX_CHARS = 500;
/** Stripe's error messages repeat parts of the rejected key; mail servers repeat addresses. */
const FOREIGN = [/\b(sk|rk|pk|whsec)_[0-9A-Za-z_*]+/g, /[^\s<>"@]+@[^\s<>"@]+/g];

/** Formats a failure as one line for the operator, without stack, secrets or email addresses. */
export function failureText(error: unknown): string {
  const { name, message, cause } =
    error instanceof Error ? error : { name: 'Error', message: String(error), cause: null };
  const why = cause instanceof Error && cause.message !== message ? ` (${cause.message})` : '';
  let text = redact(`${name}: ${message}${why}`.replace(/\s+/g, ' '));
  for (const pattern of FOREIGN) text = text.replace(pattern, '[redacted]');
  return text.slice(0, MAX_CHARS);
}
