/** The errors a skill may throw; they are defined in `core`, where calls and ports know them too. */
export { asToolFailure, InputError, isSkillError, SkillError } from '../../core/errors/skill-error';
