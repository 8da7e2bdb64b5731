import type { Runtime } from '../../core/runtime';
import type { AccountType, Actor } from '../../core/trpc/actor';
import type { Microusd } from '../../kit/money';
import { listChargeableAccounts } from './store';

/** The actor's own account, and what it can spend. */
export interface OwnAccount {
  id: string;
  type: AccountType;
  slug: string | null;
  name: string;
  available: Microusd;
  /** A payment is disputed: paid calls are refused. */
  disputed: boolean;
}

/** Null if the account was closed since the actor was resolved. */
export async function getOwnAccount(
  { db }: Pick<Runtime, 'db'>,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<OwnAccount | null> {
  const rows = await listChargeableAccounts(db, accountId);
  const row = rows.find(({ id }) => id === accountId);
  if (!row) return null;
  const { id, type, slug, name, available, disputed } = row;
  return { id, type, slug, name, available, disputed };
}
