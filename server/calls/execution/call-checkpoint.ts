import type { Runtime } from '../../core/runtime';
import type { Checkpoint } from '../../tools/sdk/skill-context';
import { toJobId } from '../jobs/job-ids';
import type { PreparedCall } from '../prepare/prepare-call';
import { findCheckpoint, saveCheckpoint } from './checkpoint-store';

const MAX_CHECKPOINT_BYTES = 4 * 1024 * 1024;

/** Checkpoints of a queued call, for the attempt after a crash. Other calls do not store them. */
export function createCallCheckpoint(
  { sql, flush }: Pick<Runtime, 'flush' | 'sql'>,
  { id }: Pick<PreparedCall, 'id'>,
): Checkpoint {
  return {
    load: () => findCheckpoint(sql, id),
    async save(state) {
      const json = JSON.stringify(state) ?? 'null';
      if (Buffer.byteLength(json) > MAX_CHECKPOINT_BYTES)
        throw new Error(`A checkpoint is larger than ${MAX_CHECKPOINT_BYTES} bytes`);
      await saveCheckpoint(sql, { id, jobId: toJobId(id) }, flush.fence, json);
    },
  };
}
