import { describe, expect, it } from 'vitest';
import { captureWithRetry } from './capture-with-retry.mjs';

const REFUSED =
  'page.screenshot: Protocol error (Page.captureScreenshot): Unable to capture screenshot\nCall log:';

/** Fails with these messages, one after the other, and then takes the screenshot. */
function failing(...messages: string[]) {
  const timeouts: number[] = [];
  const capture = async (timeoutMs: number) => {
    timeouts.push(timeoutMs);
    const message = messages.shift();
    if (message !== undefined) throw new Error(message);
    return 'picture';
  };
  return { capture, timeouts };
}

describe('a screenshot that Chromium refuses', () => {
  it('is retried once, within the remaining time', async () => {
    const { capture, timeouts } = failing(REFUSED);
    expect(await captureWithRetry(capture, 30_000)).toBe('picture');
    expect(timeouts).toEqual([30_000, expect.any(Number)]);
    expect(timeouts[1]).toBeLessThanOrEqual(29_750);
  });

  it('fails its call the second time', async () => {
    const { capture, timeouts } = failing(REFUSED, REFUSED);
    await expect(captureWithRetry(capture, 30_000)).rejects.toThrow('Unable to capture screenshot');
    expect(timeouts).toHaveLength(2);
  });

  it('is not retried without remaining time, nor after any other error', async () => {
    const late = failing(REFUSED);
    await expect(captureWithRetry(late.capture, 200)).rejects.toThrow('Unable to capture screenshot');
    expect(late.timeouts).toEqual([200]);
    const other = failing('Target closed');
    await expect(captureWithRetry(other.capture, 30_000)).rejects.toThrow('Target closed');
    expect(other.timeouts).toEqual([30_000]);
  });
});
