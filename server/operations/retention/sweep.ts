import { USAGE_MONTHS_AHEAD } from '@/db/seed';
import { hideOutdated } from '../../assets/hide-outdated';
import { removeDeleted } from '../../assets/remove-assets';
import { removeStrays } from '../../assets/remove-strays';
import { sweepScratch } from '../../assets/scratch';
import { deleteExpiredContents } from '../../calls/contents/store';
import { REFUSAL_DAYS } from '../../calls/refusals/limits';
import type { Runtime } from '../../core/runtime';
import { DELIVERY_DAYS } from '../../notifications/webhooks/limits';
import { addEndedDays } from '../../usage/add-ended-days';
import { dropOldUsage } from './drop-old-usage';
import { indexRequests } from './index-requests';
import { deleteEndedCodes, deleteExpiredTokens, deleteUnusedClients, endUnusedGrants } from './oauth-store';
import { processInBatches, type SweepContext, withSweepLock } from './process-in-batches';
import { removeAddresses } from './remove-addresses';
import { removeUnclaimed } from './remove-unclaimed';
import {
  createUsageMonths,
  deleteEndedInvitations,
  deleteEndedSignUpInvitations,
  deleteEndedWindows,
  deleteExpiredSessions,
  deleteExpiredSignInTokens,
  deleteJobsOfDeletedAccounts,
  deleteLeftEndpoints,
  deleteOldAlerts,
  deleteOldEmailChanges,
  deleteOldEmails,
  deleteOldIdempotencyKeys,
  deleteOldIncidents,
  deleteOldJobs,
  deleteOldNotices,
  deleteOldPaymentEvents,
  deleteOldReconcileRuns,
  deleteOldRedemptions,
  deleteOldRefusalMinutes,
  deleteOldRefusals,
  deleteOldStatusDays,
  deleteOldStrayUsage,
  deleteOldWebhooks,
  deleteUnpaidTopups,
} from './store';

/** Twice the longest window, so that clock differences end none early. */
const WINDOW_HOURS = 48;
/** Beyond any question whether an email was sent; an unsent one is outdated by then. */
const EMAIL_DAYS = 30;
/** Longer than the provider resends events, and longer than missed ones are fetched. */
const PAYMENT_EVENT_DAYS = 90;
/** Three months of reconcile runs. */
const RECONCILE_RUN_DAYS = 90;
/** Notices of alerts, as emails. */
const NOTICE_DAYS = 30;
/** As long as the status page shows, and a margin for time zones. */
const STATUS_DAYS = 92;
const INCIDENT_DAYS = 365;
/** Until then, a late payer still learns that the challenge has expired, and how to pay instead. */
const UNPAID_TOPUP_HOURS = 24;
/** Until then, a link reports that it was used or expired, and the team can resend it. */
const INVITATION_DAYS = 30;
/** Until then, a link of an email change reports that it was used or has expired. */
const EMAIL_CHANGE_DAYS = 30;

/** A year of a promo's redemptions, for operators who count what it brought. */
const REDEMPTION_DAYS = 365;

/** Much longer than a code's lifetime of a minute, so that a reused one is recognised. */
const OAUTH_CODE_HOURS = 24;
/** An application without access for this long must register again. */
const OAUTH_CLIENT_DAYS = 90;

/** Everything with a limited lifetime, and how it is removed. */
const REMOVALS = {
  jobs: (sweeping) =>
    processInBatches(sweeping, (tx, limit) =>
      deleteOldJobs(tx, sweeping.runtime.settings.jobRetentionDays, limit),
    ),
  jobsOfDeletedAccounts: (sweeping) => processInBatches(sweeping, deleteJobsOfDeletedAccounts),
  idempotencyKeys: (sweeping) =>
    processInBatches(sweeping, (tx, limit) =>
      deleteOldIdempotencyKeys(tx, sweeping.runtime.settings.idempotencyHours, limit),
    ),
  unpaidTopups: (sweeping) =>
    processInBatches(sweeping, (tx, limit) => deleteUnpaidTopups(tx, UNPAID_TOPUP_HOURS, limit)),
  paymentEvents: (sweeping) =>
    processInBatches(sweeping, (tx, limit) => deleteOldPaymentEvents(tx, PAYMENT_EVENT_DAYS, limit)),
  reconcileRuns: (sweeping) =>
    processInBatches(sweeping, (tx, limit) => deleteOldReconcileRuns(tx, RECONCILE_RUN_DAYS, limit)),
  notices: (sweeping) => processInBatches(sweeping, (tx, limit) => deleteOldNotices(tx, NOTICE_DAYS, limit)),
  alerts: (sweeping) =>
    processInBatches(sweeping, (tx, limit) => deleteOldAlerts(tx, RECONCILE_RUN_DAYS, limit)),
  incidents: (sweeping) =>
    processInBatches(sweeping, (tx, limit) => deleteOldIncidents(tx, INCIDENT_DAYS, limit)),
  statusDays: (sweeping) =>
    processInBatches(sweeping, (tx, limit) => deleteOldStatusDays(tx, STATUS_DAYS, limit)),
  rateWindows: (sweeping) =>
    processInBatches(sweeping, (tx, limit) => deleteEndedWindows(tx, WINDOW_HOURS, limit)),
  sessions: (sweeping) => processInBatches(sweeping, deleteExpiredSessions),
  signInTokens: (sweeping) => processInBatches(sweeping, deleteExpiredSignInTokens),
  emailChanges: (sweeping) =>
    processInBatches(sweeping, (tx, limit) => deleteOldEmailChanges(tx, EMAIL_CHANGE_DAYS, limit)),
  mails: (sweeping) => processInBatches(sweeping, (tx, limit) => deleteOldEmails(tx, EMAIL_DAYS, limit)),
  webhooks: (sweeping) =>
    processInBatches(sweeping, (tx, limit) => deleteOldWebhooks(tx, DELIVERY_DAYS, limit)),
  webhookEndpoints: (sweeping) => processInBatches(sweeping, deleteLeftEndpoints),
  invitations: (sweeping) =>
    processInBatches(sweeping, (tx, limit) => deleteEndedInvitations(tx, INVITATION_DAYS, limit)),
  signUpInvitations: (sweeping) =>
    processInBatches(sweeping, (tx, limit) => deleteEndedSignUpInvitations(tx, INVITATION_DAYS, limit)),
  promoRedemptions: (sweeping) =>
    processInBatches(sweeping, (tx, limit) => deleteOldRedemptions(tx, REDEMPTION_DAYS, limit)),
  oauthCodes: (sweeping) =>
    processInBatches(sweeping, (tx, limit) => deleteEndedCodes(tx, OAUTH_CODE_HOURS, limit)),
  oauthTokens: (sweeping) => processInBatches(sweeping, deleteExpiredTokens),
  // After their tokens, and before the applications.
  oauthGrants: (sweeping) => processInBatches(sweeping, endUnusedGrants),
  oauthClients: (sweeping) =>
    processInBatches(sweeping, (tx, limit) => deleteUnusedClients(tx, OAUTH_CLIENT_DAYS, limit)),
  unclaimedAccounts: removeUnclaimed,
  outdatedAssets: (sweeping) => processInBatches(sweeping, hideOutdated),
  // After everything that hides assets: deletes the bytes, then the rows.
  deletedAssets: ({ runtime, signal }) => removeDeleted(runtime, signal),
  strayBlobs: ({ runtime, signal }) => removeStrays(runtime, signal),
  scratchFolders: ({ runtime }) => sweepScratch(runtime),
  callContents: (sweeping) =>
    processInBatches(sweeping, (tx, limit) =>
      deleteExpiredContents(tx, sweeping.runtime.settings.callContentMaxDays, limit),
    ),
  clientAddresses: removeAddresses,
  refusalMinutes: (sweeping) =>
    processInBatches(sweeping, (tx, limit) => deleteOldRefusalMinutes(tx, REFUSAL_DAYS, limit)),
  refusals: (sweeping) =>
    processInBatches(sweeping, (tx, limit) => deleteOldRefusals(tx, REFUSAL_DAYS, limit)),
  usageMonths: dropOldUsage,
  strayUsageRecords: (sweeping) =>
    processInBatches(sweeping, (tx, limit) =>
      deleteOldStrayUsage(tx, sweeping.runtime.settings.usageRetentionMonths, limit),
    ),
} satisfies Record<string, (sweeping: SweepContext) => Promise<number>>;

export type Removal = keyof typeof REMOVALS;

/** The result of one sweep. */
export interface SweepReport {
  /** Whether another process was sweeping, so that nothing was done here. */
  elsewhere: boolean;
  removed: Record<Removal, number>;
  usageMonthsMade: number;
  /** Daily totals added for completed days; monthly figures are computed from them. */
  usageDaysAdded: number;
  /** Large months of an upgraded database that got their index by request id. */
  usageIndexesMade: number;
  /** The parts that failed; the log has the errors. */
  failed: string[];
}

/**
 * Removes expired data and creates the next months of usage. One process sweeps at a time, in short
 * transactions; failures are logged and retried by the next sweep. Never throws.
 */
export async function sweep(
  runtime: Runtime,
  signal: AbortSignal = new AbortController().signal,
): Promise<SweepReport> {
  const started = performance.now();
  const failed: string[] = [];
  const attempt = async (what: string, work: () => Promise<number | null>) => {
    try {
      return await work();
    } catch (error) {
      failed.push(what);
      runtime.log.error('sweep.part_failed', { what, error });
      return 0;
    }
  };
  const made = await attempt('usageMonthsMade', () =>
    withSweepLock(runtime, (tx) => createUsageMonths(tx, USAGE_MONTHS_AHEAD)),
  );
  const removals = Object.entries(REMOVALS) as [Removal, (sweeping: SweepContext) => Promise<number>][];
  const removed: Partial<Record<Removal, number>> = {};
  for (const [what, remove] of removals) {
    const idle = made === null || signal.aborted;
    removed[what] = idle ? 0 : ((await attempt(what, () => remove({ runtime, signal }))) ?? 0);
  }
  const added =
    made === null || signal.aborted
      ? 0
      : ((await attempt('usageDaysAdded', () => withSweepLock(runtime, addEndedDays))) ?? 0);
  const indexed =
    made === null || signal.aborted
      ? 0
      : ((await attempt('usageIndexesMade', () => indexRequests({ runtime, signal }))) ?? 0);
  const report = {
    removed: removed as Record<Removal, number>,
    usageMonthsMade: made ?? 0,
    usageDaysAdded: added,
    usageIndexesMade: indexed,
    failed,
  };
  if (made !== null)
    runtime.log.info('sweep.finished', {
      ...keepDone({
        ...report.removed,
        usageMonthsMade: made,
        usageDaysAdded: added,
        usageIndexesMade: indexed,
      }),
      ms: Math.round(performance.now() - started),
    });
  return { elsewhere: made === null, ...report };
}

/** Most sweeps remove little, and a line of forty zeros hides it. */
function keepDone(counts: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}
