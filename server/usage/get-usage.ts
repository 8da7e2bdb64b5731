import type { Actor } from '../auth/actor';
import { usdFromMicrousd } from '../billing/money';
import { getKey } from '../keys/get-key';
import type { Runtime } from '../runtime';
import type { UsageSummary } from './schema';
import { sumByKey, sumByTime, sumByTool, type TimeSum } from './store';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** More buckets than this are not filled with zeros. */
const MAX_FILLED = 400;

type Period = UsageSummary['period'];
/** How many buckets a period has, this hour or day included. */
const BUCKETS = { day: 24, week: 7, month: 30 } as const;

/** The first instant of the period, UTC; null for everything. */
export function periodStart(period: Period, now: Date): Date | null {
  if (period === 'all') return null;
  const step = period === 'day' ? HOUR_MS : DAY_MS;
  const current = Math.floor(now.getTime() / step) * step;
  return new Date(current - (BUCKETS[period] - 1) * step);
}

/**
 * What was called and what it cost, from the roll-ups.
 * @throws GatewayError NOT_FOUND for a key that is not the asker's
 */
export async function getUsage(
  runtime: Runtime,
  actor: Actor,
  { period, key_id: keyId }: { period: Period; key_id?: string },
): Promise<UsageSummary> {
  if (keyId !== undefined) await getKey(runtime, actor, keyId);
  const now = runtime.ports.clock.now();
  const from = periodStart(period, now);
  const step = period === 'day' ? 'hour' : 'day';
  const scope = { accountId: actor.accountId, keyId };
  const [tools, keys, times] = await Promise.all([
    sumByTool(runtime.db, scope, from),
    sumByKey(runtime.db, scope, from),
    sumByTime(runtime.db, scope, from, step),
  ]);
  const sum = (pick: (row: (typeof tools)[number]) => number) =>
    tools.reduce((total, row) => total + pick(row), 0);
  const raw = tools.reduce((total, row) => total + row.raw, 0n);
  const markup = tools.reduce((total, row) => total + row.markup, 0n);
  const calls = sum((row) => row.calls);
  const failed = sum((row) => row.failed);
  const first = from ?? new Date(times[0]?.at ?? now.getTime());
  return {
    period,
    from: first.toISOString(),
    to: now.toISOString(),
    key_id: keyId ?? null,
    calls,
    succeeded: calls - failed,
    failed,
    cost_usd: usdFromMicrousd(raw + markup),
    raw_cost_usd: usdFromMicrousd(raw),
    byok_calls: sum((row) => row.byok_calls),
    by_tool: tools.map((row) => ({
      tool: row.tool,
      calls: row.calls,
      cost_usd: usdFromMicrousd(row.raw + row.markup),
      failed: row.failed,
      avg_latency_ms: row.calls === 0 ? 0 : Math.round(Number(row.latency_sum) / row.calls),
    })),
    by_key: keys.map((row) => ({
      key_id: row.key_id,
      name: row.name ?? 'Deleted key',
      calls: row.calls,
      cost_usd: usdFromMicrousd(row.cost),
    })),
    by_time: fill(times, first, now, step === 'hour' ? HOUR_MS : DAY_MS),
  };
}

/** Every bucket of the period, those without calls as zeros, so that a chart has no holes. */
function fill(times: TimeSum[], from: Date, to: Date, step: number): UsageSummary['by_time'] {
  const known = new Map(times.map((row) => [row.at, row]));
  const start = Math.floor(from.getTime() / step) * step;
  const count = Math.floor((to.getTime() - start) / step) + 1;
  const buckets =
    count > MAX_FILLED
      ? times.map((row) => row.at)
      : Array.from({ length: count }, (_, i) => start + i * step);
  return buckets.map((at) => ({
    at: new Date(at).toISOString(),
    calls: known.get(at)?.calls ?? 0,
    cost_usd: usdFromMicrousd(known.get(at)?.cost ?? 0n),
  }));
}
