/**
 * In the registry of all modules: Next bundles this one more than once, so that instanceof would
 * not find the class.
 */
const IS_SKILL_ERROR = Symbol.for('tool-gateway.SkillError');

/**
 * The codes a handler's failure can have; all but HANDLER_ERROR say that the tool itself did not
 * fail.
 */
export type FailureCode = 'HANDLER_ERROR' | 'INVALID_INPUT' | 'ASSET_NOT_FOUND' | 'TOOL_UNAVAILABLE';

export interface SkillErrorOptions extends ErrorOptions {
  readonly failure?: FailureCode;
}

/** Thrown by a handler: says to the caller, in safe words, why it could not do the work. */
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
 * Thrown by a handler where other input would succeed.
 * @param message begins with the field where one is to blame: `ranges: pages are counted from 1.`
 */
export class InputError extends SkillError {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { ...options, failure: 'INVALID_INPUT' });
  }
}

/** What to throw where an address that failed was not the caller's: they cannot correct it. */
export function asToolFailure(thrown: unknown): unknown {
  if (!isSkillError(thrown) || thrown.failure === 'HANDLER_ERROR') return thrown;
  return new SkillError(thrown.message, { cause: thrown.cause });
}

/**
 * Whether it is one of ours, not one that only has the name. Throws where a getter or a proxy does.
 */
export function isSkillError(thrown: unknown): thrown is SkillError {
  return thrown instanceof Error && (thrown as Partial<SkillError>)[IS_SKILL_ERROR] === true;
}
