import { randomBytes } from 'node:crypto';
import type { PaymentMode } from '@/db/schema/payments';
import type { RequestContext } from '../../core/trpc/context';
import { WaitingLimit } from '../../kit/waiting-limit';
import { topicOf } from './charge-topup';
import { stillCharging } from './refusals';
import { findTopup, type Topup, takeTopup } from './store';
import { type Standing, standingOf } from './topup';

/** How long an identical request waits for the one that charges (contract section 5). */
const WAIT_MS = 30_000;
const MAX_WAITING_PER_ACCOUNT = 100;

/** The lease to charge a top-up, or why it cannot be charged. */
export type Claimed =
  | { kind: 'claimed'; topup: Topup }
  | { kind: 'standing'; standing: Exclude<Standing, 'busy'> };

const waiting = new WaitingLimit(MAX_WAITING_PER_ACCOUNT);

/**
 * Leases a top-up for one of its challenges, exclusively across processes; waits while another
 * request charges it.
 * @throws GatewayError IDEMPOTENCY_IN_PROGRESS if the wait times out
 */
export async function claimTopup(
  { runtime, signal }: Pick<RequestContext, 'runtime' | 'signal'>,
  { id, accountId }: Topup,
  challengeId: string,
  mode: PaymentMode,
): Promise<Claimed> {
  const { leaseSeconds } = runtime.settings;
  const fence = randomBytes(12).toString('hex');
  const attempt = async (): Promise<Claimed | null> => {
    const topup = await takeTopup(runtime.db, { id, challengeId, mode, fence, leaseSeconds });
    if (topup) return { kind: 'claimed', topup };
    const found = await findTopup(runtime.db, id);
    const standing = found ? standingOf(found.topup, challengeId, mode) : 'ended';
    return standing === 'busy' ? null : { kind: 'standing', standing };
  };
  const first = await attempt();
  if (first) return first;
  const leave = waiting.enter(accountId);
  if (!leave) throw stillCharging();
  try {
    const bounds = { timeoutMs: WAIT_MS, signal: signal() };
    const claimed = await runtime.notices.untilFound(topicOf(id), attempt, bounds);
    if (claimed) return claimed;
  } finally {
    leave();
  }
  throw stillCharging();
}
