import type { Runtime } from '../../core/runtime';
import { describeRequirement } from './describe-requirement';
import type { Requirement } from './schema';

/** The providers that calls can be made with keys of, each with the tools that can use it. */
export function listRequirements(runtime: Runtime): { requirements: Requirement[] } {
  return { requirements: runtime.slots.all().map(({ slot }) => describeRequirement(runtime, slot)) };
}
