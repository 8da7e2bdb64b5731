-- Turns running calls into jobs; a waiting job is set to running. False for a call that has
-- completed, or whose job has: then its own response applies. A reply is the current response,
-- stored if the request has an Idempotency-Key.
CREATE OR REPLACE FUNCTION promote_calls(
  p_calls json, -- rows of toPromoteRow (server/calls/jobs/promote-store.ts)
  p_fence text
) RETURNS TABLE (id text, promoted boolean)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_ids text[];
  v_keys text[];
  v_incomplete boolean;
  v_promoted text[];
BEGIN
  SELECT array_agg(q.id), bool_or(num_nulls(q.id, q.job_id, q.rerunnable) > 0) INTO v_ids, v_incomplete
  FROM json_to_recordset(p_calls) AS q(id text, job_id text, rerunnable boolean);
  IF v_incomplete THEN
    RAISE EXCEPTION 'promote_calls: a call lacks a field' USING ERRCODE = 'null_value_not_allowed';
  END IF;
  -- The locks of the keys first: a claim moves their jobs to another account under them.
  SELECT array_agg(DISTINCT c.key_id) INTO v_keys FROM calls c WHERE c.id = ANY (v_ids) AND c.fence = p_fence;
  PERFORM 1 FROM api_keys k WHERE k.id = ANY (v_keys) ORDER BY k.id FOR NO KEY UPDATE;
  WITH running AS (
    SELECT c.* FROM calls c WHERE c.id = ANY (v_ids) AND c.fence = p_fence ORDER BY c.id FOR UPDATE
  ), promoted AS (
    -- A job that waited for a slot may have been given up for lost meanwhile.
    INSERT INTO jobs AS j (id, call_id, account_id, key_id, billing, tool, skill, status, queued, rerunnable, attempts,
      webhook_url, created_at, started_at)
    SELECT q.job_id, c.id, k.account_id, c.key_id, c.billing, c.tool, c.skill, 'running', false, q.rerunnable, 1,
      q.webhook_url, c.created_at, c.created_at
    FROM json_to_recordset(p_calls) AS q(id text, job_id text, rerunnable boolean, webhook_url text)
      JOIN running c ON c.id = q.id JOIN api_keys k ON k.id = c.key_id
    ON CONFLICT (id) DO UPDATE SET status = 'running', account_id = excluded.account_id, attempts = 1, fence = NULL,
      lease_expires_at = NULL, started_at = excluded.started_at, webhook_url = coalesce(excluded.webhook_url, j.webhook_url)
    WHERE j.finished_at IS NULL
    RETURNING j.call_id
  )
  SELECT array_agg(p.call_id) INTO v_promoted FROM promoted p;
  UPDATE idempotency_keys i SET status = 202, reply = q.reply::json, finished_at = clock_timestamp()
  FROM json_to_recordset(p_calls) AS q(id text, reply text)
  WHERE i.call_id = q.id AND q.id = ANY (v_promoted) AND q.reply IS NOT NULL AND i.finished_at IS NULL;
  PERFORM pg_notify('gateway', 'call:' || q.id) FROM json_to_recordset(p_calls) AS q(id text, reply text)
  WHERE q.id = ANY (v_promoted) AND q.reply IS NOT NULL;
  RETURN QUERY SELECT c, coalesce(c = ANY (v_promoted), false) FROM unnest(v_ids) AS c;
END $$;
