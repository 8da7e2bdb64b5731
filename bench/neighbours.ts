import { setTimeout as sleep } from 'node:timers/promises';
import { measure } from './measure';
import type { Options } from './options';
import type { Stage } from './stage';
import { heavyCall } from './targets';

/** The concurrency limit of one key. */
const HEAVY_CALLS = 5;
/** The first calculations start worker processes, which is not measured. */
const SETTLE_MS = 3000;
/** During calculations there are only a few dozen calls a second: a p99 needs more time. */
const LEAST_SECONDS = 4;

/** p99 of echo calls on one connection, alone and during calculations, per round. */
export interface Neighbours {
  idleP99Ms: number[];
  busyP99Ms: number[];
  /** Usage records created in total. */
  records: number;
}

/**
 * Checks "One call never delays another by more than 50 ms": an echo call during five calculations.
 */
export async function measureNeighbours(stage: Stage, options: Options): Promise<Neighbours | null> {
  const target = stage.targets.find(({ name }) => name === 'free');
  if (!target || !options.targets.includes('free')) return null;
  const found: Neighbours = { idleP99Ms: [], busyP99Ms: [], records: 0 };
  const echo = async (into: number[]) => {
    const { calls, p99Ms } = await measure(stage, target, 1, Math.max(LEAST_SECONDS, options.seconds));
    found.records += calls;
    into.push(p99Ms);
  };
  for (let round = 0; round < options.rounds; round++) {
    await echo(found.idleP99Ms);
    const heavy = startHeavyCalls(stage);
    try {
      await Promise.race([sleep(SETTLE_MS), heavy.failed]);
      await Promise.race([echo(found.busyP99Ms), heavy.failed]);
    } finally {
      found.records += await heavy.stop();
    }
  }
  return found;
}

/** Keeps five calls running until they are stopped. */
function startHeavyCalls(stage: Stage) {
  const { path, headers, body } = heavyCall(stage.accounts);
  const url = `http://127.0.0.1:${stage.servers.gateway.port}${path}`;
  let stopped = false;
  let answered = 0;
  const lane = async () => {
    while (!stopped) {
      const response = await fetch(url, { method: 'POST', headers, body });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`A calculation failed: ${text}`);
      answered += 1;
    }
  };
  const all = Promise.all(Array.from({ length: HEAVY_CALLS }, lane));
  return {
    /** Rejects if a call failed; does not resolve before `stop`. */
    failed: all,
    async stop(): Promise<number> {
      stopped = true;
      await all;
      return answered;
    },
  };
}
