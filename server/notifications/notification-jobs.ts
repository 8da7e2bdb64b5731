import type { RepeatingJob } from '../platform/background/job-timer';
import { sendEmails } from './email/send-emails';
import { requeueWebhooks } from './webhooks/requeue-webhooks';

const TEN_SECONDS_MS = 10_000;
const FIFTEEN_SECONDS_MS = 15_000;

/**
 * Background jobs that send emails and webhooks, in every process except commands. Each may run in
 * many processes at once.
 */
export const NOTIFICATION_JOBS: readonly RepeatingJob[] = [
  { name: 'mails', everyMs: TEN_SECONDS_MS, onNotice: true, run: sendEmails },
  { name: 'webhooks', everyMs: FIFTEEN_SECONDS_MS, run: requeueWebhooks },
];
