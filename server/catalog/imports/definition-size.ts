import { SkillError } from '../../core/errors/skill-error';
import type { PinnedSkill } from './definition';

const MAX_MIB = 32;

/**
 * Counts what the skills of one source take. A short document can describe many large ones, because
 * each has its own copy of the schemas that it refers to.
 */
export class DefinitionSize {
  #chars = 0;

  /** @throws SkillError if the source describes too much */
  add({ input, output, description }: PinnedSkill): void {
    this.#chars += JSON.stringify([input, output]).length + description.length;
    if (this.#chars > MAX_MIB * 1024 * 1024)
      throw new SkillError(`The source describes its skills with more than ${MAX_MIB} MiB.`);
  }
}
