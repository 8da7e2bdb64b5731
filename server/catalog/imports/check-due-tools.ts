import type { Runtime } from '../../core/runtime';
import { checkTool } from './check-tool';
import { takeDueCheck } from './store';

/** Of a tool that could not be reached. */
const RETRY_SECONDS = 60;
/** A process that looks for longer has died. */
const TAKEN_SECONDS = 180;
/** In one round; the next round goes on. */
const MAX_IN_A_ROUND = 100;

/** Looks at each tool whose time it is; of several processes one looks at each. */
export async function checkDueTools(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { db, settings, log } = runtime;
  const everySeconds = Math.max(1, settings.importCheckMinutes) * 60;
  for (let i = 0; i < MAX_IN_A_ROUND && !signal.aborted; i++) {
    const name = await takeDueCheck(db, {
      everySeconds,
      retrySeconds: RETRY_SECONDS,
      takenSeconds: TAKEN_SECONDS,
    });
    if (name === null) return;
    await checkTool(runtime, name).catch((error) =>
      log.error('an imported tool was not checked', { tool: name, error }),
    );
  }
}
