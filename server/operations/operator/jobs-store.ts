import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, integer, text, timestamptz } from '@/db/rows';
import type { JobLine } from '../../calls/jobs/schema';

const logRow = defineRow({ seq: integer(), at: timestamptz(), message: text() });

/** The last lines of a job's log, oldest first. */
export async function listLog(db: Executor, jobId: string, limit: number): Promise<JobLine[]> {
  const rows = await logRow.read(
    db.execute(sql`
      select seq, at, message from job_logs where job_id = ${jobId} order by seq desc limit ${limit}`),
  );
  return rows.map(({ seq, at, message }) => ({ seq, at: new Date(at).toISOString(), message })).reverse();
}

const toolRow = defineRow({ tool: text() });

export async function listJobTools(db: Executor): Promise<string[]> {
  const rows = await toolRow.read(db.execute(sql`select distinct tool from jobs order by tool limit 200`));
  return rows.map(({ tool }) => tool);
}
