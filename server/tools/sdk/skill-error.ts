/** Errors that a skill may throw, defined in `core` because calls and ports use them too. */
export { asToolFailure, InputError, isSkillError, SkillError } from '../../core/errors/skill-error';
