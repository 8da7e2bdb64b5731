import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { Page } from 'playwright/test';
import type { Executor } from '../../db/client';
import { jsonRows, type RecordedCallRow } from '../../db/json-rows';
import { accounts } from '../../db/schema/accounts';
import { sessions } from '../../db/schema/auth';
import { apiKeys } from '../../db/schema/keys';
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
import { insertPastDays } from '../../server/usage/days-store';
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

/**
 * Records calls of yesterday (UTC) as the gateway does, and the credit that paid for them.
 * @param tools the tool of each call; without it, all are of diagnostics
 */
export async function chargeYesterday(
  email: string,
  usd: readonly number[],
  tools: readonly string[] = [],
): Promise<void> {
  const createdAt = new Date(Date.now() - 86_400_000);
  const amounts = usd.map((each) => microusdFromUsd(each) ?? 0n);
  const amount = amounts.reduce((sum, each) => sum + each, 0n);
  await database().transaction(async (tx) => {
    const account = await findAccountByEmail(tx, email);
    if (!account) throw new Error(`No account found for ${email}`);
    const spent = { creditsUsedMicrousd: sql`${apiKeys.creditsUsedMicrousd} + ${amount}::bigint` };
    const keys = await tx.update(apiKeys).set(spent).where(eq(apiKeys.accountId, account.id)).returning();
    const [key] = keys;
    if (!key || keys.length > 1) throw new Error(`${email} does not have one key`);
    await lockAccounts(tx, [account.id]);
    await grantCredit(tx, {
      accountId: account.id,
      amount,
      ref: newId('ledgerEntry'),
      memo: 'test',
      createdAt,
    });
    const at = createdAt.toISOString();
    const calls = amounts.map((each, n) => ({
      ...toRecordedCall(key.id, account.id, each, at),
      tool: tools[n] ?? 'diagnostics',
    }));
    await tx.execute(sql`
      select record_calls(array(
        select c from json_populate_recordset(null::recorded_call, ${jsonRows(calls)}::text::json) as c
      ), ${at}::timestamptz)`);
    // As for seeded usage: the sweep may have summed that day already.
    await insertPastDays(tx, [key.id]);
    await tx
      .update(accounts)
      .set({ balanceMicrousd: sql`${accounts.balanceMicrousd} - ${amount}::bigint` })
      .where(eq(accounts.id, account.id));
  });
}

function toRecordedCall(keyId: string, accountId: string, amount: bigint, at: string) {
  return {
    id: newId('call'),
    key_id: keyId,
    account_id: accountId,
    billing: 'personal',
    skill: 'spend',
    success: true,
    raw_microusd: '0',
    markup_microusd: String(amount),
    hold_microusd: String(amount),
    byok: false,
    latency_ms: 1,
    created_at: at,
  } satisfies Partial<RecordedCallRow>;
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
