import { SkillError } from './define-tool';
import type { Refusable } from './worker-refusal.mjs';

/**
 * What a worker made.
 * @throws {SkillError} with the worker's words where it refused
 */
export function acceptOrRefuse<Value>(answer: Refusable<Value>): Value {
  if (!answer.ok) throw new SkillError(answer.message);
  return answer.value;
}
