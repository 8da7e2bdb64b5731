import type { Runtime } from '../../core/runtime';
import { checkTool } from './check-tool';
import { leaseDueCheck } from './store';

/** Interval for a tool that could not be reached. */
const RETRY_SECONDS = 60;
/** After this time, the checking process is presumed dead and another may check. */
const TAKEN_SECONDS = 180;
/** Checks per round. */
const MAX_IN_A_ROUND = 100;
/** A source that answers slowly must not delay the checks of the others. */
const CHECKS_AT_ONCE = 4;

/** Checks each tool that is due. Concurrent processes check different tools. */
export async function checkDueTools(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  signal: AbortSignal,
): Promise<void> {
  const { db, settings, log } = runtime;
  const everySeconds = Math.max(1, settings.importCheckMinutes) * 60;
  let left = MAX_IN_A_ROUND;
  const checkInTurn = async () => {
    while (left-- > 0 && !signal.aborted) {
      const name = await leaseDueCheck(db, {
        everySeconds,
        retrySeconds: RETRY_SECONDS,
        takenSeconds: TAKEN_SECONDS,
      });
      if (name === null) return;
      await checkTool(runtime, name).catch((error) =>
        log.error('imported_tool.check_failed', { tool: name, error }),
      );
    }
  };
  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, checkInTurn));
}
