import type { Sql } from '@/db/client';
import { defineRow, json } from '@/db/rows';

/**
 * Saves the checkpoint of a queued call for its next attempt; other columns of the row stay
 * unchanged. Locks the row of the call, so a concurrent close waits and then deletes the checkpoint
 * too.
 * @param json serialized JSON
 * @returns false if this process no longer owns the call, or the call is not queued
 */
export async function saveCheckpoint(
  sql: Sql,
  call: { id: string; jobId: string },
  fence: string,
  json: string,
): Promise<boolean> {
  const saved = await sql`
    with owned as materialized (
      select c.id from calls c
      where c.id = ${call.id} and c.fence = ${fence}
        and exists (select 1 from jobs j where j.id = ${call.jobId} and j.queued and j.finished_at is null)
      for key share of c
    )
    insert into queued_call_states as s (call_id, checkpoint)
    select id, ${json}::text::json from owned
    on conflict (call_id) do update set checkpoint = excluded.checkpoint
    returning 1`;
  return saved.length > 0;
}

const checkpointRow = defineRow({ checkpoint: json<unknown>() });

/** The last saved checkpoint; undefined if there is none. */
export async function findCheckpoint(sql: Sql, callId: string): Promise<unknown> {
  const [row] = await checkpointRow.read(sql`
    select checkpoint from queued_call_states where call_id = ${callId} and checkpoint is not null`);
  return row?.checkpoint;
}
