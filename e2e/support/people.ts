import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright/test';
import type { Executor } from '../../db/client';
import { sessions } from '../../db/schema/auth';
import { openPersonalAccount } from '../../server/identity/accounts/open-personal-account';
import {
  findAccountBySlug,
  findPersonalAccount,
  findUserByEmail,
  insertUserIfNew,
  updateFrozen,
} from '../../server/identity/accounts/store';
import { issueKey } from '../../server/identity/keys/issue-key';
import { hashSessionToken, sessionCookieName } from '../../server/identity/sessions/session-token';
import { newId } from '../../server/kit/ids';
import { microusdFromUsd } from '../../server/kit/money';
import { enableLowBalanceAlert, grantCredit, lockAccounts } from '../../server/money/billing/ledger';
import { readSettings } from '../../server/platform/settings/settings';
import { database } from './database';
import { workerGateway } from './worker-gateway';

const SESSION_MS = 3_600_000;

let people = 0;

/** A unique email address. */
export function newEmail(name: string): string {
  return `${name}-${process.pid}-${++people}@e2e.test`;
}

/** A person as the admin CLI creates them: with a key and credit. */
export async function createPerson(name: string, creditUsd: number): Promise<{ email: string; key: string }> {
  const email = newEmail(name);
  const key = await database().transaction(async (tx) => {
    const { accountId } = await openAccount(tx, email);
    const { secret } = await issueKey(tx, { accountId, name: 'API key', creditsMicrousd: null });
    await grant(tx, accountId, creditUsd);
    return secret;
  });
  return { email, key };
}

/** Grants free credit. */
export async function addCredit(to: { email: string } | { team: string }, usd: number): Promise<void> {
  await database().transaction(async (tx) => {
    const account =
      'team' in to ? await findAccountBySlug(tx, to.team) : await findAccountByEmail(tx, to.email);
    if (!account) throw new Error(`No account found for ${JSON.stringify(to)}`);
    await grant(tx, account.id, usd);
  });
}

/** Freezes an account, as the operator does. */
export async function freezeAccount(email: string): Promise<void> {
  const account = await findAccountByEmail(database(), email);
  if (!account) throw new Error(`No account found for ${email}`);
  await updateFrozen(database(), account.id, { frozen: true, reason: 'test' });
}

/**
 * Creates a session directly, without the sign-in pages, which `sign-in.spec.ts` covers. An unknown
 * address gets an account.
 */
export async function signIn(page: Page, email: string): Promise<void> {
  const token = randomBytes(32).toString('hex');
  await database().transaction(async (tx) => {
    const { userId } = await openAccount(tx, email);
    await tx.insert(sessions).values({
      sessionToken: hashSessionToken(token),
      userId,
      expires: new Date(Date.now() + SESSION_MS),
      verifiedEmail: email,
    });
  });
  const { baseUrl } = workerGateway();
  const name = sessionCookieName(baseUrl);
  await page.context().addCookies([{ name, value: token, url: baseUrl, httpOnly: true, sameSite: 'Lax' }]);
}

/** Signs in as the operator. */
export async function signInAsOperator(page: Page): Promise<void> {
  await signIn(page, readSettings(workerGateway().env).operatorEmail);
}

async function openAccount(tx: Executor, email: string): Promise<{ userId: string; accountId: string }> {
  await insertUserIfNew(tx, { id: newId('user'), email, emailVerified: new Date() });
  const user = await findUserByEmail(tx, email);
  if (!user) throw new Error(`The user ${email} was not created`);
  return { userId: user.id, accountId: (await openPersonalAccount(tx, user)).id };
}

async function findAccountByEmail(tx: Executor, email: string) {
  const user = await findUserByEmail(tx, email);
  return user ? await findPersonalAccount(tx, user.id) : null;
}

async function grant(tx: Executor, accountId: string, usd: number): Promise<void> {
  const amount = microusdFromUsd(usd);
  if (!amount) return;
  await lockAccounts(tx, [accountId]);
  await grantCredit(tx, { accountId, amount, ref: newId('ledgerEntry'), memo: 'Given by a test' });
  await enableLowBalanceAlert(tx, accountId, readSettings(workerGateway().env).lowBalanceMicrousd);
}
