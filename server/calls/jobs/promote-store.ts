import type { Sql } from '@/db/client';
import { jsonRows } from '@/db/json-rows';
import { boolean, defineRow, text } from '@/db/rows';

/** A running call that becomes a job. */
export interface PromoteRequest {
  id: string;
  jobId: string;
  /** Another process may run it again if this one dies. */
  rerunnable: boolean;
  /** JSON: the response to the request, stored if it was sent with an Idempotency-Key. */
  reply: string | null;
  webhookUrl: string | null;
}

const promotedRow = defineRow({ id: text(), promoted: boolean() });

/**
 * Turns a group of running calls into jobs, in one statement.
 * @returns false for a call that has already ended
 */
export async function promoteCalls(sql: Sql, requests: PromoteRequest[], fence: string): Promise<boolean[]> {
  const rows = await promotedRow.read(sql`
    select * from promote_calls(${jsonRows(requests.map(toPromoteRow))}::text::json, ${fence})`);
  const promoted = new Map(rows.map((row) => [row.id, row.promoted]));
  return requests.map(({ id }) => promoted.get(id) === true);
}

function toPromoteRow({ id, jobId, rerunnable, reply, webhookUrl }: PromoteRequest) {
  return { id, job_id: jobId, rerunnable, reply, webhook_url: webhookUrl };
}
