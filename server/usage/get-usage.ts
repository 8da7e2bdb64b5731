import { withPreparedStatements } from '@/db/prepared';
import type { Runtime } from '../core/runtime';
import type { Actor } from '../core/trpc/actor';
import { chooseVisibleKey } from '../identity/keys/choose-visible-key';
import { usdFromMicrousd } from '../kit/money';
import type { UsageSummary } from './schema';
import { sumUsage, type UsageSum } from './store';
import { addSums, byCost } from './sums';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Beyond this many buckets, empty ones are left out. */
const MAX_FILLED = 400;

type Period = UsageSummary['period'];
/** Buckets per period, including the current hour or day. */
const BUCKETS = { day: 24, week: 7, month: 30 } as const;

/** Start of the period, UTC; null for all time. */
export function periodStart(period: Period, now: Date): Date | null {
  if (period === 'all') return null;
  const step = period === 'day' ? HOUR_MS : DAY_MS;
  const current = Math.floor(now.getTime() / step) * step;
  return new Date(current - (BUCKETS[period] - 1) * step);
}

/**
 * Summarizes calls and cost from the rollups.
 * @throws GatewayError NOT_FOUND for a key the actor may not read
 */
export async function getUsage(
  runtime: Pick<Runtime, 'db' | 'ports' | 'sql'>,
  actor: Actor,
  { period, key_id, tag }: { period: Period; key_id?: string | undefined; tag?: string | undefined },
): Promise<UsageSummary> {
  const keyId = await chooseVisibleKey(runtime, actor, key_id);
  const now = runtime.ports.clock.now();
  const from = periodStart(period, now);
  const step = period === 'day' ? 'hour' : 'day';
  const scope = { accountId: actor.accountId, keyId, tag };
  const rows = await sumUsage(withPreparedStatements(runtime.sql), scope, from, step);
  const ordered = rows.toSorted((a, b) => byCost(a, b) || (toSortName(a) < toSortName(b) ? -1 : 1));
  const tools = ordered.filter((row) => row.tool !== null);
  const keys = ordered.filter((row) => row.key_id !== null);
  const times = rows.filter((row) => row.at !== null).toSorted((a, b) => Number(a.at) - Number(b.at));
  const { calls, failed, raw, markup, byok_calls } = addSums(tools);
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
    byok_calls,
    by_tool: tools.map((row) => ({
      tool: String(row.tool),
      calls: row.calls,
      cost_usd: usdFromMicrousd(row.raw + row.markup),
      failed: row.failed,
      avg_latency_ms: row.calls === 0 ? 0 : Math.round(Number(row.latency_sum) / row.calls),
    })),
    by_key: keys.map((row) => ({
      key_id: String(row.key_id),
      name: row.name ?? 'Deleted key',
      calls: row.calls,
      cost_usd: usdFromMicrousd(row.raw + row.markup),
    })),
    by_time: fillBuckets(times, first, now, step === 'hour' ? HOUR_MS : DAY_MS),
  };
}

/** Tie-breaker for a stable order of equal rows. */
function toSortName({ tool, key_id }: UsageSum): string {
  return tool ?? key_id ?? '';
}

/** Fills empty buckets with zeros, so that charts have no gaps. */
function fillBuckets(
  times: readonly UsageSum[],
  from: Date,
  to: Date,
  step: number,
): UsageSummary['by_time'] {
  const known = new Map(times.map((row) => [Number(row.at), row]));
  const start = Math.floor(from.getTime() / step) * step;
  const count = Math.floor((to.getTime() - start) / step) + 1;
  const buckets =
    count > MAX_FILLED ? [...known.keys()] : Array.from({ length: count }, (_, i) => start + i * step);
  return buckets.map((at) => {
    const row = known.get(at);
    return {
      at: new Date(at).toISOString(),
      calls: row?.calls ?? 0,
      cost_usd: usdFromMicrousd(row ? row.raw + row.markup : 0n),
    };
  });
}
