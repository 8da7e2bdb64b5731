import type { Executor } from '@/db/client';
import { invalidFields } from '../../core/errors/field-errors';
import { GatewayError } from '../../core/errors/gateway-error';
import { returnToWindow, takeFromWindow } from '../../core/limits/store';
import type { Runtime } from '../../core/runtime';
import { sendSecurityEmail } from '../../platform/email/send-security-email';
import { hashRecoveryCode } from './recovery-codes';
import { findFactor, takeRecoveryCode, takeStep } from './store';
import { factorContext, findStep } from './totp';

/** A code has a million values and three are valid at a time: a day allows 50 guesses. */
const WINDOWS = [
  { scope: 'factor-codes', quota: 10, seconds: 15 * 60 },
  { scope: 'factor-codes-day', quota: 50, seconds: 24 * 3600 },
] as const;

type CodeRuntime = Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'>;

export interface Person {
  userId: string;
  email: string;
}

/** Whether the person has turned on a second factor. */
export async function hasSecondFactor(db: Executor, userId: string): Promise<boolean> {
  return (await findFactor(db, userId))?.confirmedAt != null;
}

/**
 * Requires a code of the person's second factor if it is on. Call it outside of a transaction: a
 * refused attempt must stay counted.
 * @throws GatewayError INVALID_INPUT, RATE_LIMIT_EXCEEDED
 */
export async function requireFactor(runtime: CodeRuntime, person: Person, code?: string): Promise<void> {
  if (!(await hasSecondFactor(runtime.db, person.userId))) return;
  if (code === undefined) throw invalidCode('Enter the code of your authenticator app, or a recovery code.');
  await checkCode(runtime, person, code);
}

/**
 * Uses up a code of the app or a recovery code. The attempt is counted first, so that concurrent
 * guesses cannot pass the limit, and given back if the app's code is valid. That of a recovery code
 * is not: each sends an email.
 * @throws GatewayError INVALID_INPUT, RATE_LIMIT_EXCEEDED
 */
export async function checkCode(runtime: CodeRuntime, person: Person, code: string): Promise<void> {
  const { userId } = person;
  await countAttempt(runtime.db, userId);
  const factor = await findFactor(runtime.db, userId);
  const digits = code.replace(/\s/g, '');
  const step =
    factor &&
    findStep(
      runtime.ports.vault.open(factor.sealedSecret, factorContext(userId)),
      digits,
      runtime.ports.clock.now(),
    );
  if (typeof step === 'number') {
    if (!(await takeStep(runtime.db, userId, step)))
      throw invalidCode('This code was used already. Wait for the next one.');
  } else {
    const left = await takeRecoveryCode(runtime.db, userId, hashRecoveryCode(code));
    if (left === null) throw invalidCode('This code is not valid. Enter the current code of your app.');
    return reportRecoveryCode(runtime, person, left);
  }
  for (const { scope } of WINDOWS) await returnToWindow(runtime.db, { scope, subject: userId });
}

function reportRecoveryCode(runtime: CodeRuntime, { email }: Person, left: number): void {
  sendSecurityEmail(runtime, {
    to: email,
    subject: 'A recovery code was used',
    body: [
      'One of your recovery codes was used in place of a code of your authenticator app. It does not work again.',
      left === 0 ? 'It was the last one: create new ones in the settings.' : `You have ${left} left.`,
    ],
  });
}

async function countAttempt(db: Executor, subject: string): Promise<void> {
  for (const window of WINDOWS) {
    const { taken, resetSeconds } = await takeFromWindow(db, { ...window, subject });
    if (taken) continue;
    throw new GatewayError('RATE_LIMIT_EXCEEDED', {
      message: 'Too many codes were entered for this account.',
      hint: `Try again in ${Math.ceil(resetSeconds / 60)} min.`,
      details: { limit: window.scope, retry_after: resetSeconds },
    });
  }
}

function invalidCode(message: string): GatewayError {
  return invalidFields([{ path: 'code', message }]);
}
