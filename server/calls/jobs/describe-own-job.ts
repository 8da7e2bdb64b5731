import { usdFromMicrousd } from '../../kit/money';
import type { OwnJobRow } from './own-store';
import type { OwnJob } from './schema';

/** Converts a job to its dashboard representation. */
export function describeOwnJob(row: OwnJobRow): OwnJob {
  return {
    job_id: row.id,
    call_id: row.call_id,
    tool: row.tool,
    skill: row.skill,
    status: row.status,
    progress: row.progress,
    created_at: toIsoString(row.created_at),
    started_at: row.started_at && toIsoString(row.started_at),
    finished_at: row.finished_at && toIsoString(row.finished_at),
    elapsed_ms: Math.max(0, Math.round(row.elapsed_ms)),
    cost_usd: row.cost === null ? null : usdFromMicrousd(row.cost),
    key_id: row.key_id,
    key_name: row.key_name ?? 'Deleted key',
    billing: row.billing,
    error_code: row.error_code,
  };
}

/** The driver returns timestamps as text. */
function toIsoString(instant: string): string {
  return new Date(instant).toISOString();
}
