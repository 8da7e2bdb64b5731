import type { Runtime } from '../../core/runtime';
import type { Attempt } from '../execution/attempt-call';
import type { RunLog } from '../execution/run-log';
import type { PreparedCall } from '../prepare/prepare-call';

/** Hands a settled call to the recorder, if the charged account stores contents. */
export function recordContent(
  { callContents }: Pick<Runtime, 'callContents'>,
  call: PreparedCall,
  attempt: Attempt,
  log: RunLog,
): void {
  const { id, keyId, accountId, rawInput, credential } = call;
  if (callContents.wants(accountId))
    callContents.record({ id, keyId, accountId, rawInput, credential, attempt, log: log.lines });
}
