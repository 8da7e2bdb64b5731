-- Takes the calls that have waited longest in the queue for a worker. Waits for no lock: what is
-- locked is being taken or cancelled.
CREATE OR REPLACE FUNCTION take_queued_calls(p_fence text, p_lease_seconds int, p_limit int)
RETURNS TABLE (id text, job_id text, key_id text, account_id text, billing text, charged_to text, tool text, skill text,
  input json, hold bigint, attempts int, last_seq int, credential json, prices json, request_id text)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_calls text[];
BEGIN
  -- Of one table, so that every plan reads calls_queued in its order.
  v_calls := ARRAY(
    SELECT c.id FROM calls c WHERE c.fence = 'queue' AND c.lease_expires_at > now()
    ORDER BY c.lease_expires_at LIMIT p_limit FOR NO KEY UPDATE SKIP LOCKED
  );
  IF v_calls = '{}' THEN
    RETURN;
  END IF;
  v_calls := ARRAY(SELECT j.call_id FROM jobs j WHERE j.call_id = ANY (v_calls) FOR NO KEY UPDATE SKIP LOCKED);
  RETURN QUERY SELECT * FROM start_queued_calls(v_calls, p_fence, p_lease_seconds);
END $$;
