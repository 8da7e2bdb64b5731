// What a task says while it runs, kept within bounds before it crosses to the gateway's thread.

/** One more than a caller is shown: that there were more is said by the gateway (calls/attempt-reports.ts). */
const MAX_LINES = 1_001;
const MAX_LINE_CHARS = 2_000;
const PROGRESS_GAP_MS = 100;

/**
 * @param {(message: import('./worker-processes').FromWorker) => void} send
 * @returns {import('./worker-processes').WorkerReports & { end(): void }} `end` silences the two others
 */
export function createReports(send) {
  let lines = 0;
  let ended = false;
  let lastProgressAt = Number.NEGATIVE_INFINITY;
  return {
    log(message) {
      if (ended || lines >= MAX_LINES) return;
      lines += 1;
      send({ kind: 'log', message: String(message).slice(0, MAX_LINE_CHARS) });
    },
    progress(fraction) {
      const now = performance.now();
      if (ended || !Number.isFinite(fraction) || now - lastProgressAt < PROGRESS_GAP_MS) return;
      lastProgressAt = now;
      send({ kind: 'progress', fraction: Math.min(Math.max(fraction, 0), 1) });
    },
    end() {
      ended = true;
    },
  };
}
