import type { Runtime } from '../../core/runtime';
import { CustomerNotFound, type Payments } from '../../platform/ports/ports';
import type { ChosenAccount } from '../billing/choose-account';
import { findProfile, findReceiver, insertProfile, replaceCustomer } from './profile-store';

/**
 * Calls `act` with the account's customer at the provider, creating it if there is none. If the
 * provider does not know it (another Stripe account in the same mode), a new one without a card
 * replaces it.
 */
export async function withCustomer<T>(
  runtime: Pick<Runtime, 'db'>,
  payments: Payments,
  account: Pick<ChosenAccount, 'id' | 'name'>,
  act: (customerId: string) => Promise<T>,
): Promise<T> {
  const known = await findProfile(runtime.db, account.id, payments.mode);
  const customerId = known?.customerId ?? (await makeCustomer(runtime, payments, account));
  try {
    return await act(customerId);
  } catch (error) {
    if (!(error instanceof CustomerNotFound)) throw error;
    const receiver = await findReceiver(runtime.db, account.id);
    const renewed = await payments.createCustomer({
      accountId: account.id,
      name: account.name,
      email: receiver,
    });
    await replaceCustomer(runtime.db, { accountId: account.id, mode: payments.mode, customerId }, renewed);
    return await act((await findProfile(runtime.db, account.id, payments.mode))?.customerId ?? renewed);
  }
}

/**
 * If two are created concurrently, the first one stored wins; the other stays unused at the
 * provider.
 */
async function makeCustomer(
  runtime: Pick<Runtime, 'db'>,
  payments: Payments,
  { id: accountId, name }: Pick<ChosenAccount, 'id' | 'name'>,
): Promise<string> {
  const email = await findReceiver(runtime.db, accountId);
  const customerId = await payments.createCustomer({ accountId, name, email });
  await insertProfile(runtime.db, { accountId, mode: payments.mode, customerId });
  return (await findProfile(runtime.db, accountId, payments.mode))?.customerId ?? customerId;
}
