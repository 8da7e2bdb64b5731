import type { Runtime } from '../../core/runtime';
import type { Payments } from '../../platform/ports/ports';
import { findProfileOfCustomer, writeCard } from './profile-store';
import { nextTicket } from './store';

/**
 * Brings the saved card of an account to what the provider has: a card that was removed there is charged no more.
 * A card is attached to its customer only where the buyer agreed that it is kept.
 * @returns false where the customer is none of ours
 * @throws PaymentsUnavailable
 */
export async function syncCard(runtime: Runtime, payments: Payments, customerId: string): Promise<boolean> {
  const profile = await findProfileOfCustomer(runtime.db, payments.mode, customerId);
  if (!profile) return false;
  const ticket = await nextTicket(runtime.db);
  const card = await payments.findSavedCard(customerId);
  const { accountId, mode } = profile;
  await writeCard(runtime.db, { accountId, mode, customerId }, card, ticket);
  return true;
}
