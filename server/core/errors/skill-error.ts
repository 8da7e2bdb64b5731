/** From the global symbol registry: Next bundles this module several times, so instanceof fails. */
const IS_SKILL_ERROR = Symbol.for('tool-gateway.SkillError');

/** The codes a handler may fail with; with all except HANDLER_ERROR, the tool itself works. */
export type FailureCode = 'HANDLER_ERROR' | 'INVALID_INPUT' | 'ASSET_NOT_FOUND' | 'TOOL_UNAVAILABLE';

export interface SkillErrorOptions extends ErrorOptions {
  readonly failure?: FailureCode | undefined;
}

/** Thrown by a handler. The message explains to the caller why it failed and is safe to show. */
export class SkillError extends Error {
  override readonly name = 'SkillError';
  readonly [IS_SKILL_ERROR] = true;
  readonly failure: FailureCode;

  constructor(message?: string, { failure = 'HANDLER_ERROR', ...options }: SkillErrorOptions = {}) {
    super(message, options);
    this.failure = failure;
  }
}

/**
 * Thrown by a handler if a different input would succeed.
 * @param message starts with the field at fault, if any: `ranges: page numbers start at 1.`
 */
export class InputError extends SkillError {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { ...options, failure: 'INVALID_INPUT' });
  }
}

/**
 * Turns an input error into a tool failure. For URLs that the caller did not choose and cannot
 * correct.
 */
export function asToolFailure(thrown: unknown): unknown {
  if (!isSkillError(thrown) || thrown.failure === 'HANDLER_ERROR') return thrown;
  return new SkillError(thrown.message, { cause: thrown.cause });
}

/**
 * Whether it is a SkillError of this code base, not just the same name. A getter or proxy may
 * throw.
 */
export function isSkillError(thrown: unknown): thrown is SkillError {
  return thrown instanceof Error && (thrown as Partial<SkillError>)[IS_SKILL_ERROR] === true;
}
