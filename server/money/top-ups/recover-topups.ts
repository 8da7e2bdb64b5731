import { randomBytes } from 'node:crypto';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import type { Runtime } from '../../core/runtime';
import { buildTopic, reconcileStartedTopup } from './charge-topup';
import { endTopup, leaseTopup, listInterrupted, releaseTopup, type Topup } from './store';

/** Per sweep; the next one continues. */
const MAX_PER_SWEEP = 100;

/**
 * Completes top-ups whose charge started but whose process died or got no response: what was paid
 * is credited without the client. Any number of processes may run it at once.
 * @param signal aborted when the process is about to stop
 * @returns how many were credited
 */
export async function recoverTopups(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  signal?: AbortSignal,
): Promise<number> {
  let credited = 0;
  for (const topup of await listInterrupted(runtime.db, MAX_PER_SWEEP)) {
    if (signal?.aborted) break;
    try {
      if (await recoverTopup(runtime, topup)) credited += 1;
    } catch (error) {
      runtime.log.warn('topup.recovery_failed', { orderId: topup.id, error });
      if (error instanceof PaymentsUnavailable) break;
    }
  }
  return credited;
}

async function recoverTopup(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  { id, challengeId, mode }: Topup,
): Promise<boolean> {
  // Its provider is no longer configured and cannot be queried.
  if (!challengeId || !hasProvider(runtime, mode)) return false;
  const { leaseSeconds } = runtime.settings;
  const fence = randomBytes(12).toString('hex');
  const claimed = await leaseTopup(runtime.db, { id, challengeId, mode, fence, leaseSeconds });
  if (!claimed) return false;
  try {
    const started = await reconcileStartedTopup(runtime, claimed);
    // If it is paid after all, the provider's event credits it.
    if (started === 'unpaid' && claimed.late)
      await endTopup(runtime.db, claimed, { status: 'expired', failureCode: null });
    return started === 'paid';
  } finally {
    await releaseTopup(runtime.db, claimed, buildTopic(id));
  }
}

function hasProvider({ ports, settings }: Pick<Runtime, 'ports' | 'settings'>, mode: Topup['mode']): boolean {
  if (mode === 'x402') return settings.x402 !== null;
  return mode === 'sandbox' || ports.payments?.mode === mode;
}
