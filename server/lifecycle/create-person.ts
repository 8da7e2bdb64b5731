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
  /** Normalised. */
  email: string;
  name?: string;
  /** Zero gives none. */
  credit: Microusd;
}

/** What was made; the key's secret is told this once. */
export interface CreatedPerson {
  userId: string;
  accountId: string;
  /** False where the address was known: then the account got another key, and the credit. */
  created: boolean;
  key: IssuedApiKey;
}

/**
 * A person with a personal account, one key and credit, or one more key and the credit where the address is known.
 * All of it or nothing.
 * @param by who does it, as the audit log names them
 */
export async function createPerson(runtime: Runtime, by: string, person: NewPerson): Promise<CreatedPerson> {
  return await runtime.db.transaction(async (tx) => {
    const user = await findOrAddUser(tx, person);
    const account = await openPersonalAccount(tx, user);
    if (account.opened)
      await writeAudit(tx, { actor: by, action: 'account.create', accountId: account.id, target: user.id });
    // The key before the credit: keys are locked before accounts, everywhere.
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
