import { GatewayError } from '../core/errors/gateway-error';
import { SkillError } from '../core/errors/skill-error';
import { WorkerScheduler } from '../platform/workers/worker-scheduler';

/** Fewer than a third of the database connections of a process (DATABASE_POOL_SIZE). */
const TOTAL = 3;
const PER_ACCOUNT = 2;
const MAX_WAITING = 300;
const RETRY_AFTER_SECONDS = 5;

const places = new WorkerScheduler({
  total: TOTAL,
  long: TOTAL,
  perAccount: PER_ACCOUNT,
  perRank: { paying: TOTAL, provisional: TOTAL, overBudget: TOTAL },
  asleep: 0,
  waiting: MAX_WAITING,
});

/**
 * Reads a report of usage, which takes the database long, in turn with other accounts: reads cost
 * no quota, and one account could else leave no connection to the calls of others.
 * @throws GatewayError UNAVAILABLE if too many wait; the signal's reason if the client disconnects
 */
export async function readInTurn<Result>(
  { actor, signal }: { actor: { accountId: string }; signal: () => AbortSignal },
  read: () => Promise<Result>,
): Promise<Result> {
  const owner = { accountId: actor.accountId, rank: () => 'paying' as const };
  const place = await places.acquire(owner, false, signal()).catch((error: unknown) => {
    if (!(error instanceof SkillError)) throw error;
    throw new GatewayError('UNAVAILABLE', {
      message: 'Too many reports are being read. Send fewer at once.',
      details: { retry_after: RETRY_AFTER_SECONDS },
    });
  });
  try {
    return await read();
  } finally {
    places.release(place);
  }
}
