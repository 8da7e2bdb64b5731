import type { CallCredential } from '../../catalog/credentials/call-credential';
import type { Attempt } from './attempt-call';

/**
 * Removes the provider key from an attempt, in case a provider echoed it. Responses, logs and
 * stored results are built from the redacted attempt.
 */
export function redactAttempt(attempt: Attempt, credential: CallCredential): Attempt {
  if (attempt.ok) return { ...attempt, output: redactOutput(attempt.output, credential) };
  const { message, cause } = attempt;
  return { ...attempt, message: credential.redact(message), cause: redactCause(cause, credential) };
}

function redactOutput(output: Record<string, unknown>, credential: CallCredential): Record<string, unknown> {
  const text = JSON.stringify(output);
  const clean = credential.redactJson(text);
  // Cannot throw: redactJson returns JSON for JSON
  return clean === text ? output : JSON.parse(clean);
}

/** The cause is already a shallow copy of plain errors (see toLoggableError). */
function redactCause(cause: unknown, credential: CallCredential): unknown {
  if (!(cause instanceof Error)) return cause;
  const clean = new Error(credential.redact(cause.message));
  clean.name = credential.redact(cause.name);
  Object.assign(clean, { stack: cause.stack && credential.redact(cause.stack) });
  const { code } = cause as { code?: unknown };
  if (typeof code === 'string') Object.assign(clean, { code: credential.redact(code) });
  if (cause.cause !== undefined) clean.cause = redactCause(cause.cause, credential);
  return clean;
}
