import { randomBytes } from 'node:crypto';
import type { PaymentMode } from '@/db/schema/payments';
import type { RequestContext } from '../../core/trpc/context';
import { AccountSemaphore } from '../../kit/account-semaphore';
import { buildTopic } from './charge-topup';
import { stillCharging } from './refusals';
import { findTopup, leaseTopup, type Topup } from './store';
import { getStanding, type Standing } from './topup';

/** How long an identical request waits for the one that charges (contract section 5). */
const WAIT_MS = 30_000;
const MAX_WAITING_PER_ACCOUNT = 100;

/** The lease to charge a top-up, or why it cannot be charged. */
export type TopupLock =
  | { kind: 'claimed'; topup: Topup }
  | { kind: 'standing'; standing: Exclude<Standing, 'busy'> };

const waiting = new AccountSemaphore(MAX_WAITING_PER_ACCOUNT);

/**
 * Leases a top-up for one of its challenges, exclusively across processes; waits while another
 * request charges it.
 * @throws GatewayError IDEMPOTENCY_IN_PROGRESS if the wait times out
 */
export async function lockTopup(
  { runtime, signal }: Pick<RequestContext, 'runtime' | 'signal'>,
  { id, accountId }: Topup,
  challengeId: string,
  mode: PaymentMode,
): Promise<TopupLock> {
  const { leaseSeconds } = runtime.settings;
  const fence = randomBytes(12).toString('hex');
  const attempt = async (): Promise<TopupLock | null> => {
    const topup = await leaseTopup(runtime.db, { id, challengeId, mode, fence, leaseSeconds });
    if (topup) return { kind: 'claimed', topup };
    const found = await findTopup(runtime.db, id);
    const standing = found ? getStanding(found.topup, challengeId, mode) : 'ended';
    return standing === 'busy' ? null : { kind: 'standing', standing };
  };
  const first = await attempt();
  if (first) return first;
  const leave = waiting.tryAcquire(accountId);
  if (!leave) throw stillCharging();
  try {
    const bounds = { timeoutMs: WAIT_MS, signal: signal() };
    const claimed = await runtime.notices.untilFound(buildTopic(id), attempt, bounds);
    if (claimed) return claimed;
  } finally {
    leave();
  }
  throw stillCharging();
}
