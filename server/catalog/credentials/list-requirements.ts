import type { Runtime } from '../../core/runtime';
import { describeRequirement } from './describe-requirement';
import type { Requirement } from './schema';

/** Lists the providers whose keys calls can use, each with the tools that can use it. */
export function listRequirements(runtime: Pick<Runtime, 'catalog' | 'slots'>): {
  requirements: Requirement[];
} {
  return { requirements: runtime.slots.all().map(({ slot }) => describeRequirement(runtime, slot)) };
}
