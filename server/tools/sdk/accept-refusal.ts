import { InputError } from '../../core/errors/skill-error';
import type { Refusable } from '../../kit/worker-refusal.mjs';

/**
 * Returns the result of a worker.
 * @throws {InputError} with the worker's message if it refused the input
 */
export function acceptOrRefuse<Value>(answer: Refusable<Value>): Value {
  if (!answer.ok) throw new InputError(answer.message);
  return answer.value;
}
