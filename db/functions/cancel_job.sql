-- Cancels a running job of this account: closes its call at no charge and notifies the process that
-- runs it. Deleting the row in calls decides races with completion. False if it was not running.
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
  SELECT c.state INTO v_state FROM close_calls(ARRAY[v_call.id], ARRAY[v_call.key_id], ARRAY[false], ARRAY[0::bigint],
    ARRAY[0::bigint], ARRAY[false], ARRAY['CANCELLED'],
    ARRAY[ms_since(v_call.created_at)], v_call.fence) c;
  IF v_state IS DISTINCT FROM 'closed' THEN
    RETURN false;
  END IF;
  UPDATE usage_records u SET job_id = p_job WHERE u.key_id = v_job.key_id AND u.id = v_job.call_id;
  UPDATE jobs j SET status = 'cancelled', error = p_line, error_code = 'CANCELLED', input = NULL,
    finished_at = clock_timestamp()
  WHERE j.id = p_job;
  -- A stream that was sent with an Idempotency-Key has not answered yet: this is its answer.
  UPDATE idempotency_keys i SET status = 502, reply = p_reply, finished_at = clock_timestamp()
  WHERE i.call_id = v_job.call_id AND i.finished_at IS NULL;
  PERFORM pg_notify('gateway', 'cancel:' || v_job.call_id);
  PERFORM pg_notify('gateway', 'call:' || v_job.call_id);
  RETURN true;
END $$;
