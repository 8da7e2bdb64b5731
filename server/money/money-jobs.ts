import type { Runtime } from '../core/runtime';
import { sendEmails } from '../platform/email/send-emails';
import { requeueWebhooks } from '../platform/webhooks/requeue-webhooks';
import { runReloads } from './auto-reload/run-reloads';
import { attachInvoice } from './invoices/attach-invoice';
import type { MoneyJob } from './money-timer';
import { catchUpCheckouts, catchUpEvents } from './payments/catch-up';
import { recoverTopups } from './top-ups/recover-topups';

const TEN_SECONDS_MS = 10_000;
const FIFTEEN_SECONDS_MS = 15_000;
const MINUTE_MS = 60_000;

/**
 * Background jobs for money, in every process except commands. Each may run in many processes at
 * once.
 */
export const MONEY_JOBS: readonly MoneyJob[] = [
  { name: 'reloads', everyMs: TEN_SECONDS_MS, onNotice: true, run: runReloads },
  { name: 'mails', everyMs: TEN_SECONDS_MS, onNotice: true, run: sendEmailsWithInvoices },
  { name: 'webhooks', everyMs: FIFTEEN_SECONDS_MS, run: requeueWebhooks },
  { name: 'topups', everyMs: MINUTE_MS, run: recoverTopups },
  { name: 'checkouts', everyMs: MINUTE_MS, run: catchUpCheckouts },
  { name: 'events', everyMs: 5 * MINUTE_MS, run: catchUpEvents },
];

async function sendEmailsWithInvoices(runtime: Runtime, signal: AbortSignal): Promise<void> {
  await sendEmails(runtime, signal, (mail) => attachInvoice(runtime, mail));
}
