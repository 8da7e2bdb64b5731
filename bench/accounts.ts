import { connect, type Database } from '@/db/client';
import { openPersonalAccount } from '@/server/identity/accounts/open-personal-account';
import { insertUser } from '@/server/identity/accounts/store';
import { generateKey } from '@/server/identity/keys/key-format';
import { insertKey } from '@/server/identity/keys/store';
import { newId } from '@/server/kit/ids';
import { grantCredit } from '@/server/money/billing/ledger';

/** The same number of keys in each group, so that groups differ only in the number of accounts. */
const KEYS = 200;
/** A billion calls at one micro-dollar. */
const CREDIT_MICROUSD = 1_000_000_000n;

/**
 * API keys by purpose. The naive server has its own accounts, so the servers do not share locks.
 */
export interface BenchAccounts {
  oneAccount: string[];
  manyAccounts: string[];
  naiveOne: string[];
  naiveMany: string[];
}

/** Creates the accounts and keys of a bench directly in its database. */
export async function makeAccounts(url: string): Promise<BenchAccounts> {
  const { db, close } = connect(url, 10, { patient: true });
  try {
    return {
      oneAccount: await addKeys(db, await openAccount(db), KEYS),
      manyAccounts: await manyAccounts(db),
      naiveOne: await addKeys(db, await openAccount(db), KEYS),
      naiveMany: await manyAccounts(db),
    };
  } finally {
    await close();
  }
}

async function manyAccounts(db: Database): Promise<string[]> {
  const keys = Array.from({ length: KEYS }, async () => addKeys(db, await openAccount(db), 1));
  return (await Promise.all(keys)).flat();
}

async function openAccount(db: Database): Promise<string> {
  const user = { id: newId('user'), email: `${newId('user')}@example.test`, name: 'Bench' };
  await insertUser(db, user);
  const { id } = await openPersonalAccount(db, user);
  await db.transaction((tx) =>
    grantCredit(tx, { accountId: id, amount: CREDIT_MICROUSD, ref: `bench:${id}`, memo: 'bench' }),
  );
  return id;
}

async function addKeys(db: Database, accountId: string, count: number): Promise<string[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => {
      const { secret, hash, mask } = generateKey();
      await insertKey(db, { id: newId('key'), accountId, name: 'bench', keyHash: hash, mask });
      return secret;
    }),
  );
}
