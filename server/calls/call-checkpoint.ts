import type { Runtime } from '../runtime';
import type { Checkpoint } from '../tools/skill-context';
import type { OpenedCall } from './open-call';

/** What a queued call keeps for the attempt after a crash; of others nothing outlives the process. */
export function createCallCheckpoint(_runtime: Runtime, _call: OpenedCall): Checkpoint {
  return { load: async () => undefined, save: async () => undefined };
}
