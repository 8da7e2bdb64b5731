import type { RepeatingJob } from '../platform/background/job-timer';
import { runReloads } from './auto-reload/run-reloads';
import { catchUpCheckouts, catchUpEvents } from './payments/catch-up';
import { recoverTopups } from './top-ups/recover-topups';

const TEN_SECONDS_MS = 10_000;
const MINUTE_MS = 60_000;

/**
 * Background jobs for money, in every process except commands. Each may run in many processes at
 * once.
 */
export const MONEY_JOBS: readonly RepeatingJob[] = [
  { name: 'reloads', everyMs: TEN_SECONDS_MS, onNotice: true, run: runReloads },
  { name: 'topups', everyMs: MINUTE_MS, run: recoverTopups },
  { name: 'checkouts', everyMs: MINUTE_MS, run: catchUpCheckouts },
  { name: 'events', everyMs: 5 * MINUTE_MS, run: catchUpEvents },
];
