import { toSVG } from 'bwip-js/node';
import type { Executor } from '@/db/client';
import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import { takeFromWindow } from '../../core/limits/store';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { sendSecurityEmail } from '../../platform/email/send-security-email';
import { endOtherSessions } from '../accounts/manage-profile';
import { checkCode, hasSecondFactor } from './check-code';
import { newRecoveryCodes } from './recovery-codes';
import type { FactorSetup, FactorState } from './schema';
import {
  confirmFactor,
  deleteFactor,
  findFactor,
  lockPerson,
  putUnconfirmed,
  replaceRecoveryHashes,
} from './store';
import { factorContext, newSecret, writeUri } from './totp';

/** Turning it on, and new recovery codes: each is reported by email, and so is turning it off. */
const CHANGES = { scope: 'factor-changes', quota: 10, seconds: 24 * 3600 };

type FactorRuntime = Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'>;

/** Describes the person's second factor. */
export async function getFactorState({ db }: Pick<Runtime, 'db'>, actor: SessionActor): Promise<FactorState> {
  const factor = await findFactor(db, actor.userId);
  return {
    enabled: factor?.confirmedAt != null,
    enabled_at: factor?.confirmedAt?.toISOString() ?? null,
    recovery_codes_left: factor?.recoveryHashes.length ?? 0,
  };
}

/**
 * Creates a secret for the person's authenticator app. It has no effect until a code confirms it.
 * @throws GatewayError FORBIDDEN if a second factor is on
 */
export async function beginFactor(runtime: FactorRuntime, actor: SessionActor): Promise<FactorSetup> {
  const secret = newSecret();
  const sealed = runtime.ports.vault.seal(secret, factorContext(actor.userId));
  const { email } = await runtime.db.transaction(async (tx) => {
    const person = await lockPerson(tx, actor.userId);
    if (!person) throw new GatewayError('AUTH_FAILED');
    if (await hasSecondFactor(tx, actor.userId)) throw alreadyOn();
    await putUnconfirmed(tx, actor.userId, sealed);
    return person;
  });
  const uri = writeUri(secret, { issuer: runtime.settings.brand.name, label: email });
  return { secret, uri, qr_svg: toSVG({ bcid: 'qrcode', text: uri, padding: 2 }) };
}

/**
 * Turns the second factor on with the first code of the app, and signs the person out of other
 * browsers, which were signed in without it.
 * @returns the recovery codes, shown only now
 * @throws GatewayError INVALID_INPUT, RATE_LIMIT_EXCEEDED, FORBIDDEN
 */
export async function enableFactor(runtime: FactorRuntime, actor: SessionActor, code: string) {
  if (await hasSecondFactor(runtime.db, actor.userId)) throw alreadyOn();
  const person = await findPerson(runtime, actor);
  await checkCode(runtime, person, code);
  const { codes, hashes } = newRecoveryCodes();
  await runtime.db.transaction(async (tx) => {
    await lockPerson(tx, actor.userId);
    if (await hasSecondFactor(tx, actor.userId)) throw alreadyOn();
    await countChange(tx, actor.userId);
    await confirmFactor(tx, actor.userId, hashes);
    await endOtherSessions({ db: tx }, actor);
    await writeAudit(tx, { actor: actorName(actor), action: 'factor.enable', accountId: actor.accountId });
  });
  sendSecurityEmail(runtime, {
    to: person.email,
    subject: 'Two-step verification is on',
    body: [
      'Signing in to your account now needs a code of your authenticator app.',
      'Keep the recovery codes: they are the only way in if you lose the app. Other browsers were signed out.',
    ],
  });
  return { recovery_codes: codes };
}

async function countChange(tx: Executor, userId: string): Promise<void> {
  const { taken, resetSeconds } = await takeFromWindow(tx, { ...CHANGES, subject: userId });
  if (taken) return;
  throw new GatewayError('RATE_LIMIT_EXCEEDED', {
    message: `Two-step verification can be changed ${CHANGES.quota} times a day.`,
    hint: `Try again in ${Math.ceil(resetSeconds / 60)} min.`,
    details: { limit: CHANGES.scope, retry_after: resetSeconds },
  });
}

/**
 * Turns the second factor off.
 * @throws GatewayError INVALID_INPUT, RATE_LIMIT_EXCEEDED; FORBIDDEN if it is off
 */
export async function disableFactor(runtime: FactorRuntime, actor: SessionActor, code: string) {
  if (!(await hasSecondFactor(runtime.db, actor.userId))) throw alreadyOff();
  const person = await findPerson(runtime, actor);
  await checkCode(runtime, person, code);
  await runtime.db.transaction(async (tx) => {
    await deleteFactor(tx, actor.userId);
    await writeAudit(tx, { actor: actorName(actor), action: 'factor.disable', accountId: actor.accountId });
  });
  sendSecurityEmail(runtime, {
    to: person.email,
    subject: 'Two-step verification is off',
    body: ['Signing in to your account no longer needs a code of your authenticator app.'],
  });
  return { success: true as const };
}

/**
 * Replaces all recovery codes.
 * @throws GatewayError INVALID_INPUT, RATE_LIMIT_EXCEEDED; FORBIDDEN if the second factor is off
 */
export async function renewRecoveryCodes(runtime: FactorRuntime, actor: SessionActor, code: string) {
  if (!(await hasSecondFactor(runtime.db, actor.userId))) throw alreadyOff();
  const person = await findPerson(runtime, actor);
  await checkCode(runtime, person, code);
  const { codes, hashes } = newRecoveryCodes();
  await runtime.db.transaction(async (tx) => {
    await countChange(tx, actor.userId);
    await replaceRecoveryHashes(tx, actor.userId, hashes);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'factor.renew_codes',
      accountId: actor.accountId,
    });
  });
  sendSecurityEmail(runtime, {
    to: person.email,
    subject: 'New recovery codes were created',
    body: ['The recovery codes of your account were replaced. The previous ones do not work any more.'],
  });
  return { recovery_codes: codes };
}

async function findPerson({ db }: Pick<Runtime, 'db'>, { userId }: SessionActor) {
  const person = await lockPerson(db, userId);
  if (!person) throw new GatewayError('AUTH_FAILED');
  return { userId, email: person.email };
}

function alreadyOff(): GatewayError {
  return new GatewayError('FORBIDDEN', {
    message: 'Two-step verification is not on.',
    hint: 'Set it up first.',
  });
}

function alreadyOn(): GatewayError {
  return new GatewayError('FORBIDDEN', {
    message: 'Two-step verification is already on.',
    hint: 'Turn it off first to use another app.',
  });
}
