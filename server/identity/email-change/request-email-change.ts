import type { Executor } from '@/db/client';
import { writeAudit } from '../../core/audit/audit';
import { invalidFields } from '../../core/errors/field-errors';
import { GatewayError } from '../../core/errors/gateway-error';
import { takeFromWindow } from '../../core/limits/store';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { normalizeEmail } from '../../kit/email-address';
import { consumeEmailQuota, EmailLimitReached } from '../../platform/email/consume-email-quota';
import { deliverSecurityEmail } from '../../platform/email/send-security-email';
import { requireFactor } from '../factor/check-code';
import { isAdmittedByPolicy } from '../sign-up/check-sign-up';
import { CONFIRM_HOURS, UNDO_DAYS } from './limits';
import { endOpenChanges, findPersonEmail, insertChange } from './store';
import { type ChangeTokens, hashChangeToken, newChangeTokens } from './tokens';

const PER_PERSON = { scope: 'email-changes', quota: 5, seconds: 24 * 3600 };

type ChangeRuntime = Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'>;

/**
 * Sends a link to the new address, which changes it when confirmed, and a notice to the old one,
 * which can stop it. An address of another account gets the same email: only its owner learns that.
 * @throws GatewayError INVALID_INPUT, RATE_LIMIT_EXCEEDED, UNAVAILABLE, FORBIDDEN where only single
 *   sign-on is used
 */
export async function requestEmailChange(
  runtime: ChangeRuntime,
  actor: SessionActor,
  wanted: { email: string; code?: string | undefined },
  clientIp: string,
): Promise<{ success: true }> {
  const oldEmail = await findPersonEmail(runtime.db, actor.userId);
  if (oldEmail === null) throw new GatewayError('AUTH_FAILED');
  if (runtime.settings.access.oidc?.only)
    throw new GatewayError('FORBIDDEN', {
      message: 'Your address comes from single sign-on.',
      hint: 'Change it at your identity provider.',
    });
  const newEmail = readAddress(wanted.email, oldEmail);
  if (!(await isAdmittedByPolicy(runtime, newEmail)))
    throw invalidFields([{ path: 'email', message: 'This address may not have an account here.' }]);
  if (!runtime.ports.mail)
    throw new GatewayError('UNAVAILABLE', {
      message: 'This gateway cannot send emails, so it cannot confirm the new address.',
      hint: 'Ask the operator to set up a mail server.',
    });
  await requireFactor(runtime, { userId: actor.userId, email: oldEmail }, wanted.code);
  const tokens = newChangeTokens(runtime.settings.claimSecret);
  await runtime.db.transaction(async (tx) => {
    await consumeQuotas(tx, runtime, { userId: actor.userId, to: newEmail, clientIp });
    await insertChange(tx, {
      confirmHash: hashChangeToken(tokens.confirm),
      undoHash: hashChangeToken(tokens.undo),
      userId: actor.userId,
      sessionId: actor.sessionId,
      oldEmail,
      newEmail,
    });
    await writeAudit(tx, { actor: actorName(actor), action: 'email.request', accountId: actor.accountId });
  });
  await sendBoth(runtime, actor.userId, { oldEmail, newEmail, tokens });
  return { success: true };
}

function readAddress(text: string, current: string): string {
  const refuse = (message: string) => invalidFields([{ path: 'email', message }]);
  let email: string;
  try {
    email = normalizeEmail(text);
  } catch {
    throw refuse('Enter one email address, such as name@example.com.');
  }
  if (email === current) throw refuse('This is already your address.');
  return email;
}

async function consumeQuotas(
  tx: Executor,
  { settings }: Pick<Runtime, 'settings'>,
  { userId, to, clientIp }: { userId: string; to: string; clientIp: string },
): Promise<void> {
  const { taken, resetSeconds } = await takeFromWindow(tx, { ...PER_PERSON, subject: userId });
  if (!taken) throw tooMany(`You can request ${PER_PERSON.quota} changes a day.`, resetSeconds);
  try {
    await consumeEmailQuota(tx, settings, { kind: 'email-change', to, clientIp });
  } catch (error) {
    if (!(error instanceof EmailLimitReached)) throw error;
    throw tooMany('Too many emails were requested.', error.resetSeconds);
  }
}

function tooMany(message: string, seconds: number): GatewayError {
  return new GatewayError('RATE_LIMIT_EXCEEDED', {
    message,
    hint: `Try again in ${Math.ceil(seconds / 60)} min.`,
    details: { limit: 'email-changes', retry_after: seconds },
  });
}

/** The notice first: without it, the old address could not stop the change. */
async function sendBoth(
  runtime: ChangeRuntime,
  userId: string,
  { oldEmail, newEmail, tokens }: { oldEmail: string; newEmail: string; tokens: ChangeTokens },
): Promise<void> {
  const { baseUrl, brand } = runtime.settings;
  try {
    await deliverSecurityEmail(runtime, {
      to: oldEmail,
      subject: 'Your email address is about to change',
      body: [
        `You sign in to ${brand.name} as ${oldEmail}. A change to ${newEmail} was requested, and takes effect once that address confirms it.`,
      ],
      action: { button: 'Stop the change', url: `${baseUrl}/email/undo?token=${tokens.undo}` },
      note: `If you requested this, do nothing. The link stops the change, and undoes it for ${UNDO_DAYS} days.`,
    });
    await deliverSecurityEmail(runtime, {
      to: newEmail,
      subject: 'Confirm your new email address',
      body: [`Confirm that you want to sign in to ${brand.name} as ${newEmail} instead of ${oldEmail}.`],
      action: { button: 'Review the change', url: `${baseUrl}/email/confirm?token=${tokens.confirm}` },
      note: `This link works once and expires in ${CONFIRM_HOURS} hours. If you did not request it, ignore this email: nothing changes.`,
    });
  } catch (error) {
    runtime.log.error('email_change.email_failed', { error });
    await endOpenChanges(runtime.db, userId);
    throw new GatewayError('UNAVAILABLE', {
      message: 'The emails could not be sent, so nothing changes.',
      hint: 'Try again later.',
    });
  }
}
