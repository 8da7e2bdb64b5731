import { inspect } from 'node:util';
import { type FailureCode, isSkillError } from '../../core/errors/skill-error';
import { toStorableText } from './attempt-reports';

const MAX_MESSAGE_CHARS = 500;
const MAX_LOGGED_CHARS = 4000;
/** How many levels of `cause` are logged. */
const MAX_CAUSES = 3;

/**
 * Returns the code and message of a SkillError, which the tool author wrote for the caller. Returns
 * null for any other error: its text may contain anything and goes only to the log. Never throws.
 */
export function toSkillFailure(thrown: unknown): { code: FailureCode; message: string } | null {
  try {
    if (!isSkillError(thrown)) return null;
    const { message, failure } = thrown;
    return typeof message === 'string'
      ? { code: failure, message: toStorableText(message, MAX_MESSAGE_CHARS) }
      : null;
  } catch {
    return null;
  }
}

/**
 * Copies a thrown value into a plain error for the log. Reading the original later could throw, run
 * a getter or flood the log. Never throws.
 */
export function toLoggableError(thrown: unknown, depth = 1): Error {
  try {
    if (!(thrown instanceof Error))
      return new Error(`A value that is not an Error was thrown: ${inspectValue(thrown)}`);
    const { name, message, stack, cause } = thrown;
    const copy = new Error(toLogText(message));
    copy.name = toLogText(name);
    copy.stack = toLogText(stack);
    const { code } = thrown as { code?: unknown };
    if (typeof code === 'string') Object.assign(copy, { code: toLogText(code) });
    if (cause !== undefined && depth < MAX_CAUSES) copy.cause = toLoggableError(cause, depth + 1);
    return copy;
  } catch {
    return new Error('The thrown value cannot be read');
  }
}

function toLogText(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_LOGGED_CHARS) : inspectValue(value);
}

function inspectValue(value: unknown): string {
  return inspect(value, {
    depth: 2,
    maxStringLength: 500,
    maxArrayLength: 20,
    customInspect: false,
  }).slice(0, MAX_LOGGED_CHARS);
}
