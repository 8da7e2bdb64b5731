-- Admits a call and enqueues it for a worker, with its job. Its lease is the longest time in the
-- queue: no process renews it before a worker has leased the call.
CREATE OR REPLACE FUNCTION admit_queued_call(
  p_key text,
  p_account text,
  p_id text,
  p_job text,
  p_billing text,
  p_tool text,
  p_skill text,
  p_hold bigint,
  p_rules int,
  p_request_id text,
  p_client_address text,
  p_input json,
  p_rerunnable boolean,
  p_wait_seconds int,
  p_window_seconds int[],
  p_quotas int[],
  p_slots int
) RETURNS TABLE (outcome text, available bigint, window_used int[], window_resets int[])
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  SELECT o.* INTO outcome, available, window_used, window_resets
  FROM admit_calls(ARRAY[p_key], ARRAY[p_account], ARRAY[p_hold > 0], ARRAY[p_id], ARRAY[1], ARRAY[1], ARRAY[p_billing],
    ARRAY[p_tool], ARRAY[p_skill], ARRAY[p_hold], ARRAY[p_rules], ARRAY[p_request_id], ARRAY[p_client_address], 'queue',
    p_wait_seconds, p_window_seconds, p_quotas, p_slots) o;
  IF outcome = 'opened' THEN
    INSERT INTO jobs AS j (id, call_id, account_id, key_id, billing, tool, skill, status, queued, rerunnable, input, created_at)
    SELECT p_job, p_id, k.account_id, p_key, p_billing, p_tool, p_skill, 'pending', true, p_rerunnable, p_input, c.created_at
    FROM calls c JOIN api_keys k ON k.id = c.key_id WHERE c.id = p_id
    -- The job exists already where the call waited for a concurrency slot.
    ON CONFLICT (id) DO UPDATE SET queued = true, account_id = excluded.account_id, rerunnable = excluded.rerunnable,
      input = excluded.input, fence = NULL, lease_expires_at = NULL
    WHERE j.finished_at IS NULL;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the job % has ended', p_job USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    PERFORM graphile_worker.add_job('run_call', json_build_object('callId', p_id), job_key := p_id);
  END IF;
  RETURN NEXT;
END $$;
