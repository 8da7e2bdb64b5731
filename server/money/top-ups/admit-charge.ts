import type { Runtime } from '../../core/runtime';
import { lockAccounts } from '../billing/ledger';
import { paymentUnknown } from './refusals';
import { endTopup, renewTopup, type Topup } from './store';

/** The result of a charge. `unpaid`: nothing was taken, and it can no longer be charged. */
export type Charged = { outcome: 'paid' | 'unpaid' } | { outcome: 'declined'; actionRequired: boolean };

/**
 * The result of a charge that was started. `unknown`: it may still be paid, so the client must not
 * be asked to pay again.
 */
export type StartedCharge = 'paid' | 'unpaid' | 'unknown';

/** A payment undecided for longer is no longer awaited; it is credited if it arrives later. */
export const UNDECIDED_SECONDS = 86_400;

/**
 * Decides to charge under the lock that closing and freezing an account take too, so that whichever
 * comes first is seen by the other.
 * @returns false if the account may no longer pay
 * @throws GatewayError UNAVAILABLE if another process holds the top-up now
 */
export async function admitCharge(
  { db, settings }: Pick<Runtime, 'db' | 'settings'>,
  topup: Topup,
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [account] = await lockAccounts(tx, [topup.accountId]);
    if (!account || account.closedAt || account.frozenAt || account.disputedAt) return false;
    if (!(await renewTopup(tx, topup, settings.leaseSeconds))) throw paymentUnknown();
    return true;
  });
}

/** Ends a top-up that can no longer be charged. */
export async function expireTopup({ db }: Pick<Runtime, 'db'>, topup: Topup): Promise<Charged> {
  await endTopup(db, topup, { status: 'expired', failureCode: null });
  return { outcome: 'unpaid' };
}
