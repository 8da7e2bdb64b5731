import { GatewayError } from '../../core/errors/gateway-error';
import { SkillError } from '../../core/errors/skill-error';
import type { Reader, ReadKind, ReadPlaces } from '../../core/limits/read-places';
import { WorkerScheduler } from '../workers/worker-scheduler';

const MAX_WAITING = 300;
const RETRY_AFTER_SECONDS = 5;

/** The shares of the connections; what is left of them is for calls alone. */
const SHARES: Record<ReadKind, { total: number; perAccount: number }> = {
  read: { total: 0.5, perAccount: 0.3 },
  report: { total: 0.3, perAccount: 0.2 },
};

/**
 * Creates the places of a process.
 * @param connections the size of its pool
 */
export function createReadPlaces(connections: number): ReadPlaces {
  const places = { read: createPlaces('read', connections), report: createPlaces('report', connections) };
  return {
    async inTurn(kind, reader, read) {
      const place = await acquirePlace(places[kind], reader);
      try {
        return await read();
      } finally {
        places[kind].release(place);
      }
    },
  };
}

function createPlaces(kind: ReadKind, connections: number): WorkerScheduler {
  const total = Math.max(1, Math.floor(connections * SHARES[kind].total));
  return new WorkerScheduler({
    total,
    long: total,
    perAccount: Math.max(1, Math.floor(connections * SHARES[kind].perAccount)),
    perRank: { paying: total, provisional: total, overBudget: total },
    asleep: 0,
    waiting: MAX_WAITING,
  });
}

async function acquirePlace(places: WorkerScheduler, { actor, signal }: Reader) {
  const owner = { accountId: actor.accountId, rank: () => 'paying' as const };
  return await places.acquire(owner, false, signal()).catch((error: unknown) => {
    if (!(error instanceof SkillError)) throw error;
    throw new GatewayError('UNAVAILABLE', {
      message: 'Too many requests that read are waiting. Send fewer at once.',
      details: { retry_after: RETRY_AFTER_SECONDS },
    });
  });
}
