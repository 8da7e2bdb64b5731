import { inspect } from 'node:util';
import { type FailureCode, isSkillError } from '../core/errors/skill-error';
import { storableText } from './attempt-reports';

const MAX_MESSAGE_CHARS = 500;
const MAX_LOGGED_CHARS = 4000;
/** Errors with a cause that has a cause: so many are logged. */
const MAX_CAUSES = 3;

/**
 * Code and words of a SkillError, which its author chose for the caller; null for everything else:
 * other texts may hold anything and stay in the log. Never throws, whatever was thrown.
 */
export function chosenFailure(thrown: unknown): { code: FailureCode; message: string } | null {
  try {
    if (!isSkillError(thrown)) return null;
    const { message, failure } = thrown;
    return typeof message === 'string'
      ? { code: failure, message: storableText(message, MAX_MESSAGE_CHARS) }
      : null;
  } catch {
    return null;
  }
}

/**
 * A plain error for the log, copied from what was thrown: reading the original could throw again,
 * run a getter, or fill the log. Never throws.
 */
export function loggable(thrown: unknown, depth = 1): Error {
  try {
    if (!(thrown instanceof Error)) return new Error(`Not an error was thrown: ${shown(thrown)}`);
    const { name, message, stack, cause } = thrown;
    const copy = new Error(textOf(message));
    copy.name = textOf(name);
    copy.stack = textOf(stack);
    const { code } = thrown as { code?: unknown };
    if (typeof code === 'string') Object.assign(copy, { code: textOf(code) });
    if (cause !== undefined && depth < MAX_CAUSES) copy.cause = loggable(cause, depth + 1);
    return copy;
  } catch {
    return new Error('Something was thrown that cannot be read');
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, MAX_LOGGED_CHARS) : shown(value);
}

function shown(value: unknown): string {
  return inspect(value, {
    depth: 2,
    maxStringLength: 500,
    maxArrayLength: 20,
    customInspect: false,
  }).slice(0, MAX_LOGGED_CHARS);
}
