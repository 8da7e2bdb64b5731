import { CALL_WINDOWS } from '@/server/core/limits/limits';

/** Settings that no test or bench reaches: one for each rate-limit window of a key. */
export const UNLIMITED_RATES: Readonly<Record<string, string>> = Object.fromEntries(
  CALL_WINDOWS.map(({ setting, max }) => [setting, String(max)]),
);
