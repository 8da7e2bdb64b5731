import type { Runtime } from '../../core/runtime';
import type { Payments } from '../../platform/ports/ports';
import { findProfileByCustomer, writeCard } from './profile-store';
import { nextTicket } from './store';

/**
 * Updates the saved card of an account from the provider: a card removed there is not charged
 * again. A card is attached to a customer only if the buyer agreed to save it.
 * @returns false if the customer is not ours
 * @throws PaymentsUnavailable
 */
export async function syncCard(
  runtime: Pick<Runtime, 'db'>,
  payments: Payments,
  customerId: string,
): Promise<boolean> {
  const profile = await findProfileByCustomer(runtime.db, payments.mode, customerId);
  if (!profile) return false;
  const ticket = await nextTicket(runtime.db);
  const card = await payments.findSavedCard(customerId);
  const { accountId, mode } = profile;
  await writeCard(runtime.db, { accountId, mode, customerId }, card, ticket);
  return true;
}
