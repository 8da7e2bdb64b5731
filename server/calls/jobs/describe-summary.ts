import { usdFromMicrousd } from '../../kit/money';
import { buildPollUrl } from './job-ids';
import type { JobSummary } from './schema';
import type { JobSummaryRow } from './summary-store';

/** Converts a job to its representation in lists. */
export function describeSummary(row: JobSummaryRow, baseUrl: string): JobSummary {
  return {
    job_id: row.id,
    call_id: row.call_id,
    status: row.status,
    tool: row.tool,
    skill: row.skill,
    progress: row.progress,
    created_at: toIsoString(row.created_at),
    started_at: row.started_at && toIsoString(row.started_at),
    finished_at: row.finished_at && toIsoString(row.finished_at),
    elapsed_seconds: Math.max(0, Math.round(row.elapsed_ms)) / 1000,
    cost_usd: row.cost === null ? null : usdFromMicrousd(row.cost),
    key_id: row.key_id,
    key_name: row.key_name ?? 'Deleted key',
    billing: row.billing,
    error: row.error,
    error_code: row.error_code,
    poll_url: buildPollUrl(baseUrl, row.id),
  };
}

/** The driver returns timestamps as text. */
function toIsoString(instant: string): string {
  return new Date(instant).toISOString();
}
