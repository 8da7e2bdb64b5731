-- Inserts the jobs of calls that were just admitted to the queue, and wakes the workers.
CREATE OR REPLACE FUNCTION enqueue_calls(p_calls json, p_admitted text[]) RETURNS void
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_enqueued int;
BEGIN
  IF EXISTS (
    SELECT 1 FROM json_to_recordset(p_calls) AS q(job_id text, rerunnable boolean, input text)
    WHERE num_nulls(q.job_id, q.rerunnable, q.input) > 0
  ) THEN
    RAISE EXCEPTION 'enqueue_calls: a job lacks a field' USING ERRCODE = 'null_value_not_allowed';
  END IF;
  INSERT INTO jobs AS j (id, call_id, account_id, key_id, billing, tool, skill, status, queued, rerunnable, input, created_at)
  SELECT q.job_id, c.id, k.account_id, c.key_id, c.billing, c.tool, c.skill, 'pending', true, q.rerunnable, q.input::json,
    c.created_at
  FROM json_to_recordset(p_calls) AS q(id text, job_id text, rerunnable boolean, input text)
    JOIN calls c ON c.id = q.id JOIN api_keys k ON k.id = c.key_id
  WHERE c.id = ANY (p_admitted)
  -- The job exists already where the call waited for a concurrency slot.
  ON CONFLICT (id) DO UPDATE SET queued = true, account_id = excluded.account_id, rerunnable = excluded.rerunnable,
    input = excluded.input, fence = NULL, lease_expires_at = NULL
  WHERE j.finished_at IS NULL;
  GET DIAGNOSTICS v_enqueued = ROW_COUNT;
  IF v_enqueued < cardinality(p_admitted) THEN
    RAISE EXCEPTION 'a job of % has ended', p_admitted USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  PERFORM pg_notify('gateway', 'queue');
END $$;
