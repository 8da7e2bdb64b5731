import { text } from '@/db/rows';
import { CALL_WINDOWS } from './limits';

/** The state of one window of a key. */
export interface WindowUse {
  used: number;
  /** Whole seconds to the end of the window; its length where no call has started it. */
  resetSeconds: number;
}

/** The state of all windows of a key, in the order of CALL_WINDOWS. */
export type WindowState = readonly WindowUse[];

/** The call limits of a key. */
export interface Quotas {
  /** Calls in each window, in the order of CALL_WINDOWS. */
  perWindow: readonly number[];
  concurrent: number;
}

/**
 * The columns in which SQL returns the windows of a key: `int[]` as text, `{12,90}`, because the
 * driver's parser of arrays is slow. Null where there is no such key.
 */
export const windowColumns = { window_used: text().nullable(), window_resets: text().nullable() };
type WindowColumns = Record<keyof typeof windowColumns, string | null>;

export function readWindows({ window_used, window_resets }: WindowColumns): WindowState {
  const used = readIntegers(window_used);
  const resets = readIntegers(window_resets);
  return CALL_WINDOWS.map(({ seconds }, index) => ({
    used: used[index] ?? 0,
    resetSeconds: resets[index] ?? seconds,
  }));
}

function readIntegers(array: string | null): number[] {
  return array === null || array === '{}' ? [] : array.slice(1, -1).split(',').map(Number);
}

/** How long a call may wait in the queue before the reaper ends it. */
export const QUEUE_WAIT_SECONDS = 900;
