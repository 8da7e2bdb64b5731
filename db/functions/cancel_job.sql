-- Cancels a running job of this account: closes its call at no charge, hides its files and notifies
-- the process that runs it. Deleting the row in calls decides races with completion. False if it
-- was not running.
CREATE OR REPLACE FUNCTION cancel_job(p_job text, p_account text, p_line text, p_reply json) RETURNS boolean
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_job jobs%ROWTYPE;
  v_call calls%ROWTYPE;
  v_state text;
BEGIN
  SELECT j.* INTO v_job FROM jobs j WHERE j.id = p_job AND j.account_id = p_account;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM 1 FROM api_keys k WHERE k.id = v_job.key_id FOR NO KEY UPDATE;
  SELECT c.* INTO v_call FROM calls c WHERE c.id = v_job.call_id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- Read again under the locks: a worker may have taken it since.
  SELECT j.* INTO v_job FROM jobs j WHERE j.id = p_job AND j.account_id = p_account;
  IF NOT FOUND OR v_job.status <> 'running' THEN
    RETURN false;
  END IF;
  SELECT c.state INTO v_state FROM end_calls(
    json_build_array(json_build_object('id', v_call.id, 'key_id', v_call.key_id, 'success', false, 'raw_microusd', 0,
      'markup_microusd', 0, 'byok', false, 'error_code', 'CANCELLED', 'error_message', p_line,
      'latency_ms', ms_since(v_call.created_at))),
    -- A stream that was sent with an Idempotency-Key has not answered yet: p_reply is its answer.
    json_build_array(json_build_object('call_id', v_call.id, 'error', p_line, 'result', p_reply::text)),
    v_call.fence) c;
  IF v_state IS DISTINCT FROM 'closed' THEN
    RETURN false;
  END IF;
  UPDATE assets f SET deleted_at = now() WHERE f.call_id = v_job.call_id AND f.deleted_at IS NULL;
  PERFORM pg_notify('gateway', 'cancel:' || v_job.call_id);
  RETURN true;
END $$;
