import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { sendSecurityEmail } from '../../platform/email/send-security-email';
import { followEmail } from '../accounts/rename-account';
import { admitNewAddress } from '../sign-up/check-sign-up';
import { UNDO_DAYS } from './limits';
import type { EmailChangePreview } from './schema';
import {
  deleteFactorSince,
  endChangesSince,
  findChange,
  isAddressTaken,
  lockChange,
  markConfirmed,
  replaceEmail,
} from './store';
import { deriveUndoToken, hashChangeToken } from './tokens';

type Change = NonNullable<Awaited<ReturnType<typeof findChange>>>;
type ChangeRuntime = Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'>;

/** Describes a change to the holder of one of its links. Changes nothing. */
export async function previewEmailChange(
  { db }: Pick<Runtime, 'db'>,
  token: string,
): Promise<EmailChangePreview> {
  const change = await findChange(db, hashChangeToken(token));
  if (!change) return { state: 'unknown', link: null, old_email: null, new_email: null };
  return {
    state: getState(change),
    link: change.byUndo ? 'undo' : 'confirm',
    old_email: change.oldEmail,
    new_email: change.newEmail,
  };
}

/**
 * Changes the address. Sign-ins at providers belonged to the old address and are disconnected;
 * other sessions end.
 * @throws GatewayError NOT_FOUND, FORBIDDEN, INVALID_INPUT
 */
export async function confirmEmailChange(runtime: ChangeRuntime, token: string): Promise<{ email: string }> {
  const change = await runtime.db.transaction(async (tx) => {
    const locked = await lockChange(tx, hashChangeToken(token));
    if (!locked || locked.byUndo) throw unknownLink();
    if (getState(locked) !== 'open') throw closedLink('confirm');
    const { userId, sessionId, oldEmail, newEmail, confirmHash } = locked;
    if (await isAddressTaken(tx, newEmail, userId))
      throw addressTaken(newEmail, 'Sign in with it, or use another address.');
    // The policy may have changed since the request.
    if (!(await admitNewAddress({ db: tx, settings: runtime.settings }, newEmail)))
      throw notAdmitted(newEmail);
    await replaceEmail(tx, { userId, to: newEmail, keptSession: sessionId });
    await markConfirmed(tx, confirmHash);
    const accountId = await followEmail(tx, userId, { from: oldEmail, to: newEmail });
    if (accountId === null) throw closedLink('confirm');
    await writeAudit(tx, { actor: `user:${userId}`, action: 'email.change', accountId });
    return locked;
  });
  const undo = deriveUndoToken(runtime.settings.claimSecret, token);
  sendSecurityEmail(runtime, {
    to: change.oldEmail,
    subject: 'Your email address was changed',
    body: [
      `You now sign in as ${change.newEmail}. Sign-ins with GitHub or Google were disconnected, and other browsers were signed out.`,
    ],
    action: { button: 'Undo the change', url: `${runtime.settings.baseUrl}/email/undo?token=${undo}` },
    note: `If this was not you, undo it: the link works for ${UNDO_DAYS} days.`,
  });
  return { email: change.newEmail };
}

/**
 * Stops a change, or undoes it: the old address returns, every session and later change ends, and a
 * second factor that was set up since the request is removed.
 * @throws GatewayError NOT_FOUND, FORBIDDEN, INVALID_INPUT
 */
export async function undoEmailChange(runtime: ChangeRuntime, token: string): Promise<{ email: string }> {
  const { oldEmail, newEmail, confirmedAt } = await runtime.db.transaction(async (tx) => {
    const change = await lockChange(tx, hashChangeToken(token));
    if (!change?.byUndo) throw unknownLink();
    const { userId, oldEmail, newEmail, confirmedAt, confirmHash } = change;
    const state = getState(change);
    if (state === 'ended' || state === 'expired') throw closedLink('undo');
    if (confirmedAt) {
      if (await isAddressTaken(tx, oldEmail, userId))
        throw addressTaken(
          oldEmail,
          'If you created it since, sign in with it, delete it in its settings, and open this link again.',
        );
      await replaceEmail(tx, { userId, to: oldEmail, keptSession: null });
      await deleteFactorSince(tx, userId, confirmHash);
    }
    await endChangesSince(tx, userId, confirmHash);
    const accountId = await followEmail(tx, userId, { from: newEmail, to: oldEmail });
    if (accountId === null) throw closedLink('undo');
    const action = confirmedAt ? 'email.undo' : 'email.stop';
    await writeAudit(tx, { actor: `user:${userId}`, action, accountId });
    return change;
  });
  if (confirmedAt)
    sendSecurityEmail(runtime, {
      to: newEmail,
      subject: 'The change of your email address was undone',
      body: [`${oldEmail} undid it. You sign in as ${oldEmail} again, and every browser was signed out.`],
      note: `If this was not you, write to ${runtime.settings.operatorEmail}.`,
    });
  return { email: oldEmail };
}

function getState({ byUndo, endedAt, confirmedAt, expired, undoExpired, sessionLives }: Change) {
  if (endedAt) return 'ended';
  if (byUndo) return undoExpired ? 'expired' : confirmedAt ? 'confirmed' : 'open';
  if (confirmedAt) return 'confirmed';
  if (expired) return 'expired';
  // Who signs out another browser does not want what it requested.
  return sessionLives ? 'open' : 'ended';
}

function unknownLink(): GatewayError {
  return new GatewayError('NOT_FOUND', { message: 'This link does not work. It may be incomplete.' });
}

function closedLink(link: 'confirm' | 'undo'): GatewayError {
  if (link === 'undo')
    return new GatewayError('FORBIDDEN', {
      message: 'This link was used already, was replaced by a newer one, or has expired.',
      hint: 'Use the link of a newer email, or ask the operator of this gateway.',
    });
  return new GatewayError('FORBIDDEN', {
    message:
      'This link was used already, was replaced by a newer one, or has expired, or the browser that requested it was signed out.',
    hint: 'Request the change again in the settings.',
  });
}

function notAdmitted(email: string): GatewayError {
  return new GatewayError('FORBIDDEN', {
    message: `${email} may not have an account here.`,
    hint: 'Use another address, or ask the operator of this gateway for an invitation.',
  });
}

function addressTaken(email: string, hint: string): GatewayError {
  return new GatewayError('FORBIDDEN', {
    message: `${email} already belongs to another account here.`,
    hint,
  });
}
