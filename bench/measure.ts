import type { Counters } from './meters';
import type { Stage } from './stage';
import type { Target, TargetName } from './targets';

/** The result of one target in one round. */
export interface Sample<Name extends string = TargetName> {
  target: Name;
  /** Ratios are computed within a round. */
  round?: number;
  connections: number;
  calls: number;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Sums over all calls of the sample. */
  generatorCpuUs: number;
  serverCpuUs: number;
  roundTrips: number;
  /** Memory of the server right after the load. */
  rssBytes: number;
  postgresCpuUs: number | null;
  commits: number;
  walBytes: number;
}

/** What a server reports about itself. */
interface Usage {
  cpuUs: number;
  roundTrips: number;
  rssBytes: number;
}

interface Outcome {
  calls: number;
  elapsedMs: number;
  cpuUs: number;
  p50Ms: number;
  p99Ms: number;
  body: string;
}

/**
 * Measures one target for a while, with counters read before and after the load.
 * @throws Error on the first response that is not 2xx
 */
export async function measure<Name extends string>(
  stage: Stage,
  target: Omit<Target, 'name'> & { name: Name },
  connections: number,
  seconds: number,
): Promise<Sample<Name>> {
  const server = stage.servers[target.server];
  const before = await stage.meters.read();
  const usageBefore = await server.request<Usage>('usage');
  const { port } = server;
  const { requests, follow, expect } = target;
  const load = { port, requests, follow, expect, connections, ms: seconds * 1000 };
  const outcome = await stage.generator.request<Outcome>('load', load).catch((error: unknown) => {
    throw new Error(`${target.label}: ${error instanceof Error ? error.message : error}`);
  });
  const usageAfter = await server.request<Usage>('usage');
  const after = await stage.meters.read();
  if (!outcome.body.includes(expect))
    throw new Error(`${target.label}: not the expected response: ${outcome.body}`);
  return {
    target: target.name,
    connections,
    calls: outcome.calls,
    perSecond: (outcome.calls / outcome.elapsedMs) * 1000,
    p50Ms: outcome.p50Ms,
    p99Ms: outcome.p99Ms,
    generatorCpuUs: outcome.cpuUs,
    serverCpuUs: usageAfter.cpuUs - usageBefore.cpuUs,
    roundTrips: usageAfter.roundTrips - usageBefore.roundTrips,
    rssBytes: usageAfter.rssBytes,
    ...difference(before, after),
  };
}

function difference(before: Counters, after: Counters): Counters {
  return {
    postgresCpuUs:
      before.postgresCpuUs === null || after.postgresCpuUs === null
        ? null
        : after.postgresCpuUs - before.postgresCpuUs,
    commits: after.commits - before.commits,
    walBytes: after.walBytes - before.walBytes,
  };
}
