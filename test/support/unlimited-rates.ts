import { CALL_WINDOWS } from '@/server/core/limits/windows';

const CALLS_PER_SECOND = 16_000;
/** The settings of long windows accept no more. */
const MAX_CALLS = 10_000_000;

/** Settings that no test or bench reaches: one for each rate-limit window of a key. */
export const UNLIMITED_RATES: Readonly<Record<string, string>> = Object.fromEntries(
  CALL_WINDOWS.map(({ setting, seconds }) => [
    setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
    String(Math.min(seconds * CALLS_PER_SECOND, MAX_CALLS)),
  ]),
);
