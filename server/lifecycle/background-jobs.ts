import { reportExpiringKeys } from '../identity/keys/report-expiring';
import { MONEY_JOBS } from '../money/money-jobs';
import { NOTIFICATION_JOBS } from '../notifications/notification-jobs';
import type { RepeatingJob } from '../platform/background/job-timer';

const HOUR_MS = 3_600_000;

/** Background jobs in every process except commands. Each may run in many processes at once. */
export const BACKGROUND_JOBS: readonly RepeatingJob[] = [
  ...MONEY_JOBS,
  ...NOTIFICATION_JOBS,
  { name: 'expiring_keys', everyMs: HOUR_MS, run: reportExpiringKeys },
];
