import { InputError } from '../../core/errors/skill-error';
import type { Refusable } from '../../kit/worker-refusal.mjs';

/**
 * What a worker made.
 * @throws {InputError} with the worker's words where it refused
 */
export function acceptOrRefuse<Value>(answer: Refusable<Value>): Value {
  if (!answer.ok) throw new InputError(answer.message);
  return answer.value;
}
