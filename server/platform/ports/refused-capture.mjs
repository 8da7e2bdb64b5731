import { setTimeout as sleep } from 'node:timers/promises';

const WAIT_MS = 250;

/**
 * Takes a picture, once more where Chromium refuses it: soon after a cold start it sometimes does,
 * and takes the same picture a moment later.
 * @template T
 * @param {(timeoutMs: number) => Promise<T>} capture
 * @param {number} limitMs for both
 * @returns {Promise<T>} raises what the last capture raised
 */
export async function captureTwice(capture, limitMs) {
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
