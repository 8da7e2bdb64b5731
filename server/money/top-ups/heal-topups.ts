import { randomBytes } from 'node:crypto';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import type { Runtime } from '../../core/runtime';
import { settleBegunTopup, topicOf } from './charge-topup';
import { endTopup, listInterrupted, releaseTopup, type Topup, takeTopup } from './store';

/** Per sweep; the next one continues. */
const AT_ONCE = 100;

/**
 * Completes top-ups whose charge started but whose process died or got no response: what was paid
 * is credited without the client. Any number of processes may run it at once.
 * @param signal aborted when the process is about to stop
 * @returns how many were credited
 */
export async function healTopups(runtime: Runtime, signal?: AbortSignal): Promise<number> {
  let credited = 0;
  for (const topup of await listInterrupted(runtime.db, AT_ONCE)) {
    if (signal?.aborted) break;
    try {
      if (await healTopup(runtime, topup)) credited += 1;
    } catch (error) {
      runtime.log.warn('topup.recovery_failed', { orderId: topup.id, error });
      if (error instanceof PaymentsUnavailable) break;
    }
  }
  return credited;
}

async function healTopup(runtime: Runtime, { id, challengeId, mode }: Topup): Promise<boolean> {
  const asksProvider = mode !== 'sandbox';
  // Its provider is no longer configured and cannot be queried.
  if (!challengeId || (asksProvider && runtime.ports.payments?.mode !== mode)) return false;
  const { leaseSeconds } = runtime.settings;
  const fence = randomBytes(12).toString('hex');
  const claimed = await takeTopup(runtime.db, { id, challengeId, mode, fence, leaseSeconds });
  if (!claimed) return false;
  try {
    const begun = await settleBegunTopup(runtime, claimed);
    // If it is paid after all, the provider's event credits it.
    if (begun === 'unpaid' && claimed.late)
      await endTopup(runtime.db, claimed, { status: 'expired', failureCode: null });
    return begun === 'paid';
  } finally {
    await releaseTopup(runtime.db, claimed, topicOf(id));
  }
}
