import type { IncidentUpdate } from '@/db/schema/background';
import type { Runtime } from '../../../core/runtime';
import { withTimeout } from '../../../kit/with-timeout';
import { SHOWN_INCIDENTS, STATUS_DAYS } from './limits';
import { type Probe, probeComponents, summarize } from './probe-components';
import type { Incident, Status, StatusComponent } from './schema';
import { type IncidentRow, listIncidents, listStatusDays, measureCallLatency } from './status-store';

type StatusRuntime = Parameters<typeof probeComponents>[0];

/** Visitors of the page cost the database at most one round of probes in this time. */
const FRESH_MS = 10_000;
/** Of what changes slowly: the days and the latencies. */
const HISTORY_FRESH_MS = 60_000;
const READ_MS = 3_000;
const DAY_MS = 86_400_000;

interface Cached<Value> {
  at: number;
  value: Promise<Value>;
}

interface History {
  days: Awaited<ReturnType<typeof listStatusDays>>;
  latency: Status['latency'];
}

interface Caches {
  statuses: WeakMap<object, Cached<Status>>;
  histories: WeakMap<object, Cached<History>>;
}

// In globalThis because Next bundles this module more than once: the page and the operator's
// changes share it. By database, because tests run several gateways in a process.
const processSingleton = globalThis as typeof globalThis & { __toolGatewayStatus?: Caches };
processSingleton.__toolGatewayStatus ??= { statuses: new WeakMap(), histories: new WeakMap() };
const { statuses, histories } = processSingleton.__toolGatewayStatus;

/**
 * The public status of the gateway, at most some seconds old. It contains neither accounts nor
 * amounts. Never throws: without a database, only the probes are shown.
 */
export async function getStatus(runtime: StatusRuntime): Promise<Status> {
  return await cached(statuses, runtime.db, FRESH_MS, () => readStatus(runtime));
}

/** Makes the next page show an incident that was just posted, in this process. */
export function forgetStatus({ db }: Pick<Runtime, 'db'>): void {
  statuses.delete(db);
}

async function cached<Value>(
  cache: WeakMap<object, Cached<Value>>,
  key: object,
  freshMs: number,
  read: () => Promise<Value>,
): Promise<Value> {
  const known = cache.get(key);
  if (known && performance.now() - known.at < freshMs) return await known.value;
  const value = read();
  cache.set(key, { at: performance.now(), value });
  try {
    return await value;
  } catch (error) {
    cache.delete(key);
    throw error;
  }
}

async function readStatus(runtime: StatusRuntime): Promise<Status> {
  const { db } = runtime;
  const probes = await probeComponents(runtime);
  const isDown = probes.some(({ id, state }) => id === 'database' && state === 'down');
  const [history, incidents] = isDown
    ? [null, []]
    : await Promise.all([
        withTimeout(
          cached(histories, db, HISTORY_FRESH_MS, () => readHistory(runtime)),
          READ_MS,
        ).catch(() => null),
        withTimeout(listIncidents(db, SHOWN_INCIDENTS), READ_MS).catch(() => []),
      ]);
  const now = new Date();
  return {
    state: summarize(probes, incidents),
    checked_at: now.toISOString(),
    components: probes.map((probe) => describeComponent(probe, history?.days ?? [], now)),
    latency: history?.latency ?? null,
    incidents: incidents.map(describeIncident),
  };
}

async function readHistory({ db }: Pick<Runtime, 'db'>): Promise<History> {
  const [days, { p50, p95, calls }] = await Promise.all([listStatusDays(db), measureCallLatency(db)]);
  return { days, latency: p50 === null || p95 === null ? null : { p50_ms: p50, p95_ms: p95, calls } };
}

/** A component with every day of the period, those without samples included. Pure. */
export function describeComponent(
  probe: Probe,
  rows: readonly { component: string; day: string; samples: number; degraded: number; failed: number }[],
  now: Date,
): StatusComponent {
  const own = new Map(rows.filter(({ component }) => component === probe.id).map((row) => [row.day, row]));
  const today = Math.floor(now.getTime() / DAY_MS);
  const days = Array.from({ length: STATUS_DAYS }, (_, at) => {
    const day = new Date((today - STATUS_DAYS + 1 + at) * DAY_MS).toISOString().slice(0, 10);
    const row = own.get(day);
    const uptime = row && row.samples > 0 ? 1 - row.failed / row.samples : null;
    return { day, uptime, degraded: row !== undefined && row.degraded > 0 };
  });
  const total = [...own.values()].reduce(
    (sum, { samples, failed }) => ({ samples: sum.samples + samples, failed: sum.failed + failed }),
    { samples: 0, failed: 0 },
  );
  return { ...probe, uptime: total.samples === 0 ? null : 1 - total.failed / total.samples, days };
}

export function describeIncident(row: IncidentRow): Incident {
  return {
    id: row.id,
    title: row.title,
    impact: row.impact,
    updates: row.updates
      .toReversed()
      .map(({ at, state, message }: IncidentUpdate) => ({ at, state, message })),
    created_at: row.createdAt.toISOString(),
    resolved_at: row.resolvedAt?.toISOString() ?? null,
  };
}
