-- Turns a running call into a job; a waiting job is set to running. False if the call (or job) has
-- completed: then its own response applies. p_reply is the current response, stored if the request
-- has an Idempotency-Key.
CREATE OR REPLACE FUNCTION promote_call(
  p_call text,
  p_job text,
  p_fence text,
  p_rerunnable boolean,
  p_reply json
) RETURNS boolean
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_call calls%ROWTYPE;
  v_owner text;
BEGIN
  SELECT c.* INTO v_call FROM calls c WHERE c.id = p_call AND c.fence = p_fence;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- The key's lock first: a claim moves its jobs to another account under it.
  SELECT k.account_id INTO v_owner FROM api_keys k WHERE k.id = v_call.key_id FOR NO KEY UPDATE;
  PERFORM 1 FROM calls c WHERE c.id = p_call AND c.fence = p_fence FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO jobs AS j (id, call_id, account_id, key_id, billing, tool, skill, status, queued, rerunnable, attempts,
    created_at, started_at)
  VALUES (p_job, p_call, v_owner, v_call.key_id, v_call.billing, v_call.tool, v_call.skill, 'running', false,
    p_rerunnable, 1, v_call.created_at, v_call.created_at)
  ON CONFLICT (id) DO UPDATE SET status = 'running', account_id = excluded.account_id, attempts = 1, fence = NULL,
    lease_expires_at = NULL, started_at = v_call.created_at
  WHERE j.finished_at IS NULL;
  IF NOT FOUND THEN
    -- It waited for a slot, and was given up for lost meanwhile.
    RETURN false;
  END IF;
  IF p_reply IS NOT NULL THEN
    UPDATE idempotency_keys i SET status = 202, reply = p_reply, finished_at = clock_timestamp()
    WHERE i.call_id = p_call AND i.finished_at IS NULL;
    PERFORM pg_notify('gateway', 'call:' || p_call);
  END IF;
  RETURN true;
END $$;
