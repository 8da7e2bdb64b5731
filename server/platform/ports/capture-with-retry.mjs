import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_MS = 250;

/**
 * Takes a screenshot, and retries once if Chromium refuses: that happens soon after a cold start.
 * @template T
 * @param {(timeoutMs: number) => Promise<T>} capture
 * @param {number} limitMs for both attempts
 * @returns {Promise<T>} rejects with the error of the last attempt
 */
export async function captureWithRetry(capture, limitMs) {
  const began = performance.now();
  try {
    return await capture(limitMs);
  } catch (error) {
    const leftMs = Math.floor(limitMs - (performance.now() - began) - WAIT_MS);
    if (leftMs <= 0 || !(error instanceof Error && error.message.includes('Unable to capture screenshot')))
      throw error;
    await sleep(WAIT_MS);
    return await capture(leftMs);
  }
}
