import type { Runtime } from '../../core/runtime';
import type { Preferences } from '../billing/schema';
import { findProfile } from './profile-store';

/** The saved card that auto-recharge charges, reduced to what may be shown. */
export async function findCard(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  accountId: string,
): Promise<Preferences['saved_card']> {
  const mode = runtime.ports.payments?.mode;
  const profile = mode ? await findProfile(runtime.db, accountId, mode) : null;
  if (!profile?.paymentMethodId) return null;
  return {
    brand: profile.cardBrand ?? 'card',
    last4: profile.cardLast4 ?? '',
    exp_month: profile.cardExpMonth ?? 0,
    exp_year: profile.cardExpYear ?? 0,
  };
}
