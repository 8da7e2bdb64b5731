import { usdFromMicrousd } from '../kit/money';
import type { CallRow } from './calls-store';
import type { KeyLabel } from './key-labels';
import type { UsageRecord } from './schema';

/**
 * Converts a call that has ended to its public representation, which others extend. Pure.
 * @param errorMessage as it was before it was stored; null if the viewer may not see it
 */
export function describeRecord(row: CallRow, key: KeyLabel, errorMessage: string | null): UsageRecord {
  return {
    id: row.id,
    created_at: toTime(row.created_ms),
    tool: row.tool,
    skill: row.skill,
    status: row.status,
    cost_usd: usdFromMicrousd(row.raw + row.markup),
    raw_cost_usd: usdFromMicrousd(row.raw),
    markup_usd: usdFromMicrousd(row.markup),
    billing: row.billing,
    byok: row.byok,
    key_id: row.key_id,
    key_name: key.name,
    latency_ms: row.latency_ms,
    job_id: row.job_id,
    error_code: row.error_code,
    error_message: errorMessage,
    request_id: row.request_id,
  };
}

export function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
