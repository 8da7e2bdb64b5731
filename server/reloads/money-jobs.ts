import { sendMails } from '../mails/send-mails';
import type { MoneyJob } from './money-timer';
import { runReloads } from './run-reloads';

const TEN_SECONDS_MS = 10_000;

/** What is done about money beside requests, in every process but commands. Each may run in many processes at once. */
export const MONEY_JOBS: readonly MoneyJob[] = [
  { name: 'reloads', everyMs: TEN_SECONDS_MS, onNotice: true, run: runReloads },
  { name: 'mails', everyMs: TEN_SECONDS_MS, onNotice: true, run: sendMails },
];
