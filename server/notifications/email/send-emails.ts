import { emailSubject } from '../../core/limits/client-subject';
import { takeFromWindow } from '../../core/limits/store';
import type { Runtime } from '../../core/runtime';
import { failureText } from '../../kit/failure-text';
import { withTimeout } from '../../kit/with-timeout';
import { attachDocuments } from '../../money/invoices/attach-documents';
import { MAX_ATTEMPTS } from '../../platform/email/limits';
import { renderLinkEmail } from '../../platform/email/render-link-email';
import type { Mailer } from '../../platform/ports/ports';
import { buildEmailText } from './build-email-text';
import { getRetryDelaySeconds, isStillRelevant } from './email-retries';
import {
  abandonDue,
  deleteEmail,
  type EmailKind,
  findBillingEmail,
  findEmailFacts,
  getSecondsUntilNext,
  type LeasedEmail,
  leaseEmail,
  listRecipients,
  markSent,
  postponeEmail,
} from './store';

type EmailRuntime = Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'>;

/** The most emails per round; the next round sends the rest. */
const MAX_IN_ROUND = 100;
/** The most recipients per email: the managers of a team. */
const MAX_RECIPIENTS = 20;
const SEND_TIMEOUT_MS = 60_000;
/** Receipts a day to one address, over all accounts that name it as their billing email. */
const RECEIPTS_PER_ADDRESS = 20;
/** Alerts of limits a day of one account: each new limit can be reached again. */
const ALERTS_PER_ACCOUNT = 20;
const LIMIT_ALERTS: ReadonlySet<EmailKind> = new Set(['limit_alert', 'key_blocked', 'member_blocked']);
const DAY_SECONDS = 86_400;
/** Longer than sending takes, so that no other process sends the email a second time. */
const LEASE_SECONDS = 300;

/**
 * Sends the emails that are due, each leased by one process, at most one a day for the same cause.
 * Failed ones are retried with growing delays, then given up. Delivery is at least once: an email
 * whose process dies is sent again.
 */
export async function sendEmails(runtime: EmailRuntime, signal: AbortSignal): Promise<void> {
  const { db, log, ports } = runtime;
  if (!ports.mail) {
    const given = await abandonDue(db, MAX_ATTEMPTS);
    if (given > 0) log.warn('email.no_server', { given });
    return;
  }
  for (let i = 0; i < MAX_IN_ROUND && !signal.aborted; i++) {
    const mail = await leaseEmail(db, { leaseSeconds: LEASE_SECONDS, maxAttempts: MAX_ATTEMPTS });
    if (!mail) return;
    try {
      await send(runtime, ports.mail, mail);
    } catch (error) {
      await handleFailure(runtime, mail, error);
    }
  }
}

async function send(runtime: EmailRuntime, mailer: Mailer, mail: LeasedEmail): Promise<void> {
  const { db, log, ports, settings } = runtime;
  const facts = await findEmailFacts(db, mail, ports.payments?.mode ?? null);
  if (!facts || !isStillRelevant(mail.kind, facts, settings.lowBalanceMicrousd))
    return await deleteEmail(db, mail.id);
  const seconds = await getSecondsUntilNext(db, mail.id);
  // Low credit is reported later if it is still low then; any other event is outdated by then.
  if (seconds > 0)
    return mail.kind === 'low_balance'
      ? await postponeEmail(db, mail.id, seconds, null)
      : await deleteEmail(db, mail.id);
  if (!(await mayAlert(db, mail))) return await deleteEmail(db, mail.id);
  const recipients = await findRecipients(runtime, mail);
  if (recipients.length === 0) return await deleteEmail(db, mail.id);
  const attachments = await attachDocuments(runtime, mail);
  const text = buildEmailText(mail.kind, { ...facts, attached: attachments.length }, settings);
  const sent = await Promise.allSettled(
    recipients.map((to) =>
      withTimeout(
        mailer.send({ ...renderLinkEmail({ to, ...text }, settings.brand), attachments }),
        SEND_TIMEOUT_MS,
        () => {
          throw new Error('The mail server did not answer');
        },
      ),
    ),
  );
  const failures = sent.filter((each) => each.status === 'rejected');
  // One bouncing address must not make the others receive every retry.
  if (failures.length === recipients.length) throw failures[0]?.reason;
  for (const { reason } of failures)
    log.warn('email.recipient_failed', { mailId: String(mail.id), error: reason });
  await markSent(db, mail.id);
  runtime.observer.metrics.mails.inc({ outcome: 'sent' });
}

/**
 * Whether the account had fewer alerts today than it may; other emails are limited by their cause.
 * Retries are not counted.
 */
async function mayAlert(db: Runtime['db'], mail: LeasedEmail): Promise<boolean> {
  if (!LIMIT_ALERTS.has(mail.kind) || mail.attempts > 1) return true;
  const window = { scope: 'limit-alert-emails', subject: mail.account_id, quota: ALERTS_PER_ACCOUNT };
  return (await takeFromWindow(db, { ...window, seconds: DAY_SECONDS })).taken;
}

/**
 * The managers and the member concerned, or the billing email for a receipt: none once that address
 * had enough today. Retries are not counted: a mail server that is down must not use up the
 * receipts of a day.
 */
async function findRecipients(
  { db, log, settings }: Pick<Runtime, 'db' | 'log' | 'settings'>,
  mail: LeasedEmail,
): Promise<string[]> {
  if (mail.kind !== 'receipt') return await listRecipients(db, mail, MAX_RECIPIENTS);
  const email = await findBillingEmail(db, mail.account_id);
  if (email === null) return [];
  if (mail.attempts > 1) return [email];
  const { taken } = await takeFromWindow(db, {
    scope: 'receipt-emails-address',
    subject: emailSubject(settings.claimSecret, email),
    quota: RECEIPTS_PER_ADDRESS,
    seconds: DAY_SECONDS,
  });
  if (taken) return [email];
  log.warn('email.receipt_dropped', { mailId: String(mail.id), accountId: mail.account_id });
  return [];
}

async function handleFailure(
  { db, log, observer }: Pick<Runtime, 'db' | 'log' | 'observer'>,
  mail: LeasedEmail,
  error: unknown,
): Promise<void> {
  const details = { mailId: String(mail.id), kind: mail.kind, accountId: mail.account_id, error };
  const given = mail.attempts >= MAX_ATTEMPTS;
  observer.metrics.mails.inc({ outcome: given ? 'given_up' : 'failed' });
  if (given) log.error('email.given_up', details);
  else log.warn('email.send_failed', { ...details, attempts: mail.attempts });
  await postponeEmail(db, mail.id, getRetryDelaySeconds(mail.attempts), failureText(error));
}
