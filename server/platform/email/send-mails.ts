import type { Runtime } from '../../core/runtime';
import { failureText } from '../../kit/failure-text';
import type { Mailer } from '../ports/ports';
import { linkMail } from './link-mail';
import { isWorthTelling, MAX_ATTEMPTS, retryAfterSeconds } from './mail';
import { mailText } from './mail-text';
import {
  deleteMail,
  findMailFacts,
  giveUpDue,
  listRecipients,
  markSent,
  postponeMail,
  secondsUntilNext,
  type TakenMail,
  takeMail,
} from './store';

/** The most in one round; the next one goes on. */
const MAX_IN_ROUND = 100;
/** Those who run a team, at most. */
const MAX_RECIPIENTS = 20;
const SEND_TIMEOUT_MS = 60_000;
/** Longer than sending takes: another process would send it a second time. */
const LEASE_SECONDS = 300;

/**
 * Sends what is due, each mail by the process that takes it first, at most one a day of the same
 * cause. What the mail server refuses is tried again, more and more seldom, and given up in the
 * end. A mail whose process dies is sent again: at least once.
 */
export async function sendMails(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { db, log, ports } = runtime;
  if (!ports.mail) {
    const given = await giveUpDue(db, MAX_ATTEMPTS);
    if (given > 0)
      log.warn('no mail server is set up (SMTP_URL): mails to customers are not sent', { given });
    return;
  }
  for (let i = 0; i < MAX_IN_ROUND && !signal.aborted; i++) {
    const mail = await takeMail(db, { leaseSeconds: LEASE_SECONDS, maxAttempts: MAX_ATTEMPTS });
    if (!mail) return;
    try {
      await send(runtime, ports.mail, mail);
    } catch (error) {
      await failed(runtime, mail, error);
    }
  }
}

async function send(runtime: Runtime, mailer: Mailer, mail: TakenMail): Promise<void> {
  const { db, log, ports, settings } = runtime;
  const facts = await findMailFacts(db, mail, ports.payments?.mode ?? null);
  const recipients = await listRecipients(db, mail.account_id, MAX_RECIPIENTS);
  if (!facts || recipients.length === 0 || !isWorthTelling(mail.kind, facts, settings.lowBalanceMicrousd))
    return await deleteMail(db, mail.id);
  const seconds = await secondsUntilNext(db, mail.id);
  // Low credit is reported later if it is still low then; any other event is old by then.
  if (seconds > 0)
    return mail.kind === 'low_balance'
      ? await postponeMail(db, mail.id, seconds, null)
      : await deleteMail(db, mail.id);
  const text = mailText(mail.kind, facts, settings.baseUrl);
  const sent = await Promise.allSettled(
    recipients.map((to) => withinTime(mailer.send(linkMail({ to, ...text })))),
  );
  const failures = sent.filter((each) => each.status === 'rejected');
  // One address that bounces must not have all others told ten times.
  if (failures.length === recipients.length) throw failures[0]?.reason;
  for (const { reason } of failures)
    log.warn('a mail did not reach one of its recipients', { mailId: String(mail.id), error: reason });
  await markSent(db, mail.id);
  runtime.observer.metrics.mails.inc({ outcome: 'sent' });
}

async function failed({ db, log, observer }: Runtime, mail: TakenMail, error: unknown): Promise<void> {
  const details = { mailId: String(mail.id), kind: mail.kind, accountId: mail.account_id, error };
  const given = mail.attempts >= MAX_ATTEMPTS;
  observer.metrics.mails.inc({ outcome: given ? 'given_up' : 'failed' });
  if (given) log.error('a mail could not be sent and is given up', details);
  else log.warn('a mail could not be sent and is tried again', { ...details, attempts: mail.attempts });
  await postponeMail(db, mail.id, retryAfterSeconds(mail.attempts), failureText(error));
}

/** A mail server that hangs has not taken it, as far as we know. */
async function withinTime(sending: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The mail server did not answer')), SEND_TIMEOUT_MS);
  });
  try {
    await Promise.race([sending, late]);
  } finally {
    clearTimeout(timer);
  }
}
