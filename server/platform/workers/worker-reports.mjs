// Limits what a task reports while it runs, before it is sent to the gateway.

import { setTimeout as wait } from 'node:timers/promises';

/** One more than a caller is shown, so that the gateway can say there were more. */
export const MAX_LINES = 1_001;
export const MAX_LINE_CHARS = 2_000;
const PROGRESS_GAP_MS = 100;
/** A shorter sleep is not worth two messages. */
const MIN_SLEEP_MS = 50;

/**
 * @param {boolean} wanted whether the caller wants log and progress
 * @param {(message: import('./worker-channel').FromWorker) => void} send
 * @returns {import('./worker-processes').WorkerReports & { end(): void }} `end` silences the others
 */
export function createReports(wanted, send) {
  let lines = 0;
  let ended = false;
  let lastProgressAt = Number.NEGATIVE_INFINITY;
  return {
    log(message) {
      if (!wanted || ended || lines >= MAX_LINES) return;
      lines += 1;
      send({ kind: 'log', message: String(message).slice(0, MAX_LINE_CHARS) });
    },
    progress(fraction) {
      const now = performance.now();
      if (!wanted || ended || !Number.isFinite(fraction) || now - lastProgressAt < PROGRESS_GAP_MS) return;
      lastProgressAt = now;
      send({ kind: 'progress', fraction: Math.min(Math.max(fraction, 0), 1) });
    },
    async sleep(ms) {
      const reported = ms >= MIN_SLEEP_MS && !ended;
      if (reported) send({ kind: 'asleep' });
      await wait(ms);
      if (reported && !ended) send({ kind: 'awake' });
    },
    end() {
      ended = true;
    },
  };
}
