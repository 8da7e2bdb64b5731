-- close_calls for calls that may be jobs or have an Idempotency-Key: completes the job and stores
-- the response in the same transaction. p_results: the ToolCallResult of a success, the Error body
-- of a failure.
CREATE OR REPLACE FUNCTION finish_calls(
  p_ids text[],
  p_key_ids text[],
  p_success boolean[],
  p_markup bigint[],
  p_raw bigint[],
  p_byok boolean[],
  p_error_codes text[],
  p_latency_ms int[],
  p_errors text[],
  p_results text[],
  p_fence text
) RETURNS TABLE (id text, state text, available bigint)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_row record;
  v_closed text[] := '{}';
  v_available bigint[] := '{}';
BEGIN
  FOR v_row IN SELECT c.* FROM close_calls(p_ids, p_key_ids, p_success, p_markup, p_raw, p_byok, p_error_codes, p_latency_ms,
    p_fence) c
  LOOP
    id := v_row.id;
    state := v_row.state;
    available := v_row.available;
    RETURN NEXT;
    IF v_row.state = 'closed' THEN
      v_closed := v_closed || v_row.id;
      v_available := v_available || v_row.available;
    END IF;
  END LOOP;
  -- Asked first: the update looks into every month.
  IF EXISTS (SELECT 1 FROM jobs j WHERE j.call_id = ANY (v_closed)) THEN
    UPDATE usage_records u SET job_id = j.id FROM jobs j
    WHERE j.call_id = ANY (v_closed) AND u.key_id = j.key_id AND u.id = j.call_id;
  END IF;
  UPDATE jobs j SET
    status = CASE WHEN e.success THEN 'completed' ELSE 'failed' END,
    result = CASE WHEN e.success THEN e.result::json END,
    available_microusd = d.available,
    error = e.error,
    error_code = e.error_code,
    progress = CASE WHEN e.success THEN 1 ELSE j.progress END,
    input = NULL,
    fence = NULL,
    lease_expires_at = NULL,
    finished_at = clock_timestamp()
  FROM unnest(v_closed, v_available) AS d(id, available)
    JOIN unnest(p_ids, p_success, p_error_codes, p_errors, p_results) AS e(id, success, error_code, error, result) ON e.id = d.id
  WHERE j.call_id = d.id AND j.finished_at IS NULL;
  UPDATE idempotency_keys i SET
    status = CASE WHEN e.success THEN 200 ELSE 502 END,
    reply = e.result::json,
    available_microusd = d.available,
    finished_at = clock_timestamp()
  FROM unnest(v_closed, v_available) AS d(id, available)
    JOIN unnest(p_ids, p_success, p_results) AS e(id, success, result) ON e.id = d.id
  WHERE i.call_id = d.id AND i.finished_at IS NULL;
  PERFORM pg_notify('gateway', 'call:' || c) FROM unnest(v_closed) AS c;
END $$;
