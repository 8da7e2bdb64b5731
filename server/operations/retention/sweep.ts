import { USAGE_MONTHS_AHEAD } from '@/db/seed';
import { hideOutdated } from '../../assets/hide-outdated';
import { removeDeleted } from '../../assets/remove-assets';
import { removeStrays } from '../../assets/remove-strays';
import { sweepScratch } from '../../assets/scratch';
import type { Runtime } from '../../core/runtime';
import { addEndedDays } from '../../usage/add-ended-days';
import { dropOldUsage } from './drop-old-usage';
import { inBatches, type Sweeping, underSweepLock } from './in-batches';
import { deleteEndedCodes, deleteExpiredTokens, deleteUnusedClients, endUnusedGrants } from './oauth-store';
import { removeUnclaimed } from './remove-unclaimed';
import {
  createUsageMonths,
  deleteEndedInvitations,
  deleteEndedWindows,
  deleteExpiredSessions,
  deleteExpiredSignInTokens,
  deleteJobsOfDeletedAccounts,
  deleteOldIdempotencyKeys,
  deleteOldJobs,
  deleteOldMails,
  deleteOldPaymentEvents,
  deleteOldReconcileRuns,
  deleteOldStrayUsage,
  deleteUnpaidTopups,
} from './store';

/** Twice the longest window there is, so that no clock makes one end early. */
const WINDOW_HOURS = 48;
/** Longer than anyone asks whether a mail was sent; what could not be sent helps nobody by then. */
const MAIL_DAYS = 30;
/** Longer than the provider sends an event again, and than it is asked for those that did not come. */
const PAYMENT_EVENT_DAYS = 90;
/** A quarter of proofs that the books agreed. */
const RECONCILE_RUN_DAYS = 90;
/** So long a late payer is told that the challenge has expired, and how to pay instead. */
const UNPAID_TOPUP_HOURS = 24;
/** Long enough for a link to say that it was used or has expired, and for the team to send it again. */
const INVITATION_DAYS = 30;

/** Of an application's code: long after its minute, one that comes again is still known to be used. */
const OAUTH_CODE_HOURS = 24;
/** An application that registered and was never let in, or has not been for so long, registers again. */
const OAUTH_CLIENT_DAYS = 90;

/** Everything that has a lifetime, and how what is past it goes. */
const REMOVALS = {
  jobs: (sweeping) =>
    inBatches(sweeping, (tx, limit) => deleteOldJobs(tx, sweeping.runtime.settings.jobRetentionDays, limit)),
  jobsOfDeletedAccounts: (sweeping) => inBatches(sweeping, deleteJobsOfDeletedAccounts),
  idempotencyKeys: (sweeping) =>
    inBatches(sweeping, (tx, limit) =>
      deleteOldIdempotencyKeys(tx, sweeping.runtime.settings.idempotencyHours, limit),
    ),
  unpaidTopups: (sweeping) =>
    inBatches(sweeping, (tx, limit) => deleteUnpaidTopups(tx, UNPAID_TOPUP_HOURS, limit)),
  paymentEvents: (sweeping) =>
    inBatches(sweeping, (tx, limit) => deleteOldPaymentEvents(tx, PAYMENT_EVENT_DAYS, limit)),
  reconcileRuns: (sweeping) =>
    inBatches(sweeping, (tx, limit) => deleteOldReconcileRuns(tx, RECONCILE_RUN_DAYS, limit)),
  rateWindows: (sweeping) => inBatches(sweeping, (tx, limit) => deleteEndedWindows(tx, WINDOW_HOURS, limit)),
  sessions: (sweeping) => inBatches(sweeping, deleteExpiredSessions),
  signInTokens: (sweeping) => inBatches(sweeping, deleteExpiredSignInTokens),
  mails: (sweeping) => inBatches(sweeping, (tx, limit) => deleteOldMails(tx, MAIL_DAYS, limit)),
  invitations: (sweeping) =>
    inBatches(sweeping, (tx, limit) => deleteEndedInvitations(tx, INVITATION_DAYS, limit)),
  oauthCodes: (sweeping) => inBatches(sweeping, (tx, limit) => deleteEndedCodes(tx, OAUTH_CODE_HOURS, limit)),
  oauthTokens: (sweeping) => inBatches(sweeping, deleteExpiredTokens),
  // After their tokens, and before the applications.
  oauthGrants: (sweeping) => inBatches(sweeping, endUnusedGrants),
  oauthClients: (sweeping) =>
    inBatches(sweeping, (tx, limit) => deleteUnusedClients(tx, OAUTH_CLIENT_DAYS, limit)),
  unclaimedAccounts: removeUnclaimed,
  outdatedAssets: (sweeping) => inBatches(sweeping, hideOutdated),
  // After all that hide some: the bytes go, then the rows.
  deletedAssets: ({ runtime, signal }) => removeDeleted(runtime, signal),
  strayBlobs: ({ runtime, signal }) => removeStrays(runtime, signal),
  scratchFolders: ({ runtime }) => sweepScratch(runtime),
  usageMonths: dropOldUsage,
  strayUsageRecords: (sweeping) =>
    inBatches(sweeping, (tx, limit) =>
      deleteOldStrayUsage(tx, sweeping.runtime.settings.usageRetentionMonths, limit),
    ),
} satisfies Record<string, (sweeping: Sweeping) => Promise<number>>;

export type Removal = keyof typeof REMOVALS;

/** What one sweep did. */
export interface SweepReport {
  /** Another process was at it: nothing was done here. */
  elsewhere: boolean;
  removed: Record<Removal, number>;
  usageMonthsMade: number;
  /** Rows of days that are over: what months are told from. */
  usageDaysAdded: number;
  /** What could not be done; why is in the log. */
  failed: string[];
}

/**
 * Removes what is past its time, and makes the months of usage to come. One process at a time, in short transactions;
 * what fails is logged and left to the next sweep. Never throws.
 */
export async function sweep(
  runtime: Runtime,
  signal: AbortSignal = new AbortController().signal,
): Promise<SweepReport> {
  const begun = performance.now();
  const failed: string[] = [];
  const attempt = async (what: string, work: () => Promise<number | null>) => {
    try {
      return await work();
    } catch (error) {
      failed.push(what);
      runtime.log.error('sweep: one part failed', { what, error });
      return 0;
    }
  };
  const made = await attempt('usageMonthsMade', () =>
    underSweepLock(runtime, (tx) => createUsageMonths(tx, USAGE_MONTHS_AHEAD)),
  );
  const removals = Object.entries(REMOVALS) as [Removal, (sweeping: Sweeping) => Promise<number>][];
  const removed: Partial<Record<Removal, number>> = {};
  for (const [what, remove] of removals) {
    const idle = made === null || signal.aborted;
    removed[what] = idle ? 0 : ((await attempt(what, () => remove({ runtime, signal }))) ?? 0);
  }
  const added =
    made === null || signal.aborted
      ? 0
      : ((await attempt('usageDaysAdded', () => underSweepLock(runtime, addEndedDays))) ?? 0);
  const report = {
    removed: removed as Record<Removal, number>,
    usageMonthsMade: made ?? 0,
    usageDaysAdded: added,
    failed,
  };
  if (made !== null)
    runtime.log.info('swept', {
      ...report.removed,
      usageMonthsMade: report.usageMonthsMade,
      usageDaysAdded: added,
      ms: Math.round(performance.now() - begun),
    });
  return { elsewhere: made === null, ...report };
}
