import { randomBytes } from 'node:crypto';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import type { Runtime } from '../../core/runtime';
import { settleBegunTopup, topicOf } from './charge-topup';
import { endTopup, listInterrupted, releaseTopup, type Topup, takeTopup } from './store';

/** In one sweep; the rest waits for the next. */
const AT_ONCE = 100;

/**
 * Brings top-ups to their end whose charge was begun and whose process died, or never heard of it: what was paid is
 * credited without the client. Any number of processes may do it at a time.
 * @param signal aborted when the process is about to end
 * @returns how many were credited
 */
export async function healTopups(runtime: Runtime, signal?: AbortSignal): Promise<number> {
  let credited = 0;
  for (const topup of await listInterrupted(runtime.db, AT_ONCE)) {
    if (signal?.aborted) break;
    try {
      if (await healTopup(runtime, topup)) credited += 1;
    } catch (error) {
      runtime.log.warn('a top-up was not healed', { orderId: topup.id, error });
      if (error instanceof PaymentsUnavailable) break;
    }
  }
  return credited;
}

async function healTopup(runtime: Runtime, { id, challengeId, mode }: Topup): Promise<boolean> {
  const asksProvider = mode !== 'sandbox';
  // Of a provider that this gateway does not use any more: nobody can be asked.
  if (!challengeId || (asksProvider && runtime.ports.payments?.mode !== mode)) return false;
  const { leaseSeconds } = runtime.settings;
  const fence = randomBytes(12).toString('hex');
  const claimed = await takeTopup(runtime.db, { id, challengeId, mode, fence, leaseSeconds });
  if (!claimed) return false;
  try {
    const begun = await settleBegunTopup(runtime, claimed);
    // Paid for later after all, it is credited by the provider's event.
    if (begun === 'unpaid' && claimed.late)
      await endTopup(runtime.db, claimed, { status: 'expired', failureCode: null });
    return begun === 'paid';
  } finally {
    await releaseTopup(runtime.db, claimed, topicOf(id));
  }
}
