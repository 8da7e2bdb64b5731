import { arrayLiteral } from '@/db/array-literal';
import type { Sql } from '@/db/client';
import { defineRow, text } from '@/db/rows';
import type { JobLine } from './schema';

/** A line of a job, with the progress that was stored with it. */
export interface StoredLine extends JobLine {
  progress: number | null;
}

/** New log lines and progress of a job that runs in this process. */
export interface LogAppend {
  jobId: string;
  callId: string;
  lines: readonly JobLine[];
  progress: number | null;
}

/**
 * `busy`: the job is locked by another transaction; `over`: it no longer runs here, nothing was
 * added.
 */
export type Appended = 'written' | 'busy' | 'over';

/** The weight of an append in its group, in characters. */
export function weighAppend({ lines }: LogAppend): number {
  return lines.reduce((sum, { message }) => sum + message.length, 0);
}

const appendedRow = defineRow({ state: text<Appended>() });

/**
 * Writes new log lines and progress of a group of jobs. Existing lines stay unchanged. Locked jobs
 * are skipped: one that is being cancelled or moved must not block or deadlock the group.
 */
export async function appendJobLogs(sql: Sql, appends: LogAppend[], fence: string): Promise<Appended[]> {
  const lines = appends.flatMap(({ jobId, lines }) => lines.map((line) => ({ jobId, ...line })));
  const rows = await appendedRow.read(sql`
    with asked as materialized (
      select * from unnest(${arrayLiteral(appends.map((a) => a.jobId))}::text[],
        ${arrayLiteral(appends.map((a) => a.callId))}::text[], ${arrayLiteral(appends.map((a) => a.progress))}::real[])
        with ordinality as a(job_id, call_id, progress, n)
    ), running as materialized (
      select j.id from asked a join jobs j on j.id = a.job_id
      where j.status = 'running' and exists (select 1 from calls c where c.id = a.call_id and c.fence = ${fence})
      for no key update of j skip locked
    ), moved as (
      update jobs j set progress = a.progress from asked a join running r on r.id = a.job_id
      where j.id = a.job_id and a.progress is not null
    ), written as (
      insert into job_logs (job_id, seq, message, at, progress)
      select l.job_id, l.seq, l.message, l.at, a.progress from unnest(${arrayLiteral(lines.map((l) => l.jobId))}::text[],
        ${arrayLiteral(lines.map((l) => l.seq))}::int[], ${arrayLiteral(lines.map((l) => l.message))}::text[],
        ${arrayLiteral(lines.map((l) => l.at))}::timestamptz[]) as l(job_id, seq, message, at)
      join running r on r.id = l.job_id join asked a on a.job_id = r.id
      on conflict do nothing
    ), notified as materialized (
      select r.id, pg_notify('gateway', 'log:' || a.call_id) from running r join asked a on a.job_id = r.id
    )
    select case when t.id is not null then 'written'
      when exists (select 1 from jobs j join calls c on c.id = a.call_id and c.fence = ${fence}
        where j.id = a.job_id and j.status = 'running') then 'busy'
      else 'over' end as state
    from asked a left join notified t on t.id = a.job_id order by a.n`);
  return rows.map(({ state }) => state);
}
