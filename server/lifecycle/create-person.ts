import type { Executor } from '@/db/client';
import { writeAudit } from '../core/audit/audit';
import type { Runtime } from '../core/runtime';
import { openPersonalAccount } from '../identity/accounts/open-personal-account';
import { findUserByEmail, insertUserIfNew } from '../identity/accounts/store';
import { describeKey } from '../identity/keys/describe-key';
import { issueKey } from '../identity/keys/issue-key';
import type { IssuedApiKey } from '../identity/keys/schema';
import { newId } from '../kit/ids';
import type { Microusd } from '../kit/money';
import { grantWithin } from '../money/billing/grant-account';

interface NewPerson {
  /** Normalized. */
  email: string;
  name?: string | undefined;
  /** Zero: no credit. */
  credit: Microusd;
}

/** The result; the key's secret is returned only here. */
export interface CreatedPerson {
  userId: string;
  accountId: string;
  /** False if the person already had an account; it got another key and the credit. */
  created: boolean;
  key: IssuedApiKey;
}

/**
 * Creates a person with an account, a key and credit; an existing person gets another key and the
 * credit. All in one transaction.
 * @param by the actor in the audit log
 */
export async function createPerson(
  runtime: Pick<Runtime, 'db' | 'settings'>,
  by: string,
  person: NewPerson,
): Promise<CreatedPerson> {
  return await runtime.db.transaction(async (tx) => {
    const user = await findOrAddUser(tx, person);
    const account = await openPersonalAccount(tx, user);
    if (account.opened)
      await writeAudit(tx, { actor: by, action: 'account.create', accountId: account.id, target: user.id });
    // The key before the credit: keys are locked before accounts.
    const { row, secret } = await issueKey(tx, {
      accountId: account.id,
      name: 'API key',
      creditsMicrousd: null,
    });
    await writeAudit(tx, { actor: by, action: 'key.create', accountId: account.id, target: row.id });
    if (person.credit > 0n)
      await grantWithin(tx, runtime, by, {
        accountId: account.id,
        amount: person.credit,
        ref: `key:${row.id}`,
        memo: 'Given with a key',
      });
    return {
      userId: user.id,
      accountId: account.id,
      created: account.opened,
      key: { ...describeKey(row), secret },
    };
  });
}

async function findOrAddUser(tx: Executor, { email, name }: NewPerson) {
  const row = { id: newId('user'), email, name: name ?? null };
  if (await insertUserIfNew(tx, row)) return row;
  const existing = await findUserByEmail(tx, email);
  if (!existing) throw new Error('A user vanished while it was looked up');
  return existing;
}
