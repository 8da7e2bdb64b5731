-- Takes one call that was lost with its process twice, for a worker that runs it alone: of the
-- account with the fewest of them, and of those the one that has waited longest. Waits for no lock.
CREATE OR REPLACE FUNCTION take_lost_call(p_fence text, p_lease_seconds int)
RETURNS TABLE (id text, job_id text, key_id text, account_id text, billing text, charged_to text, tool text, skill text,
  input json, hold bigint, attempts int, last_seq int, credential json, prices json, request_id text)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_calls text[];
BEGIN
  v_calls := ARRAY(
    SELECT c.id FROM calls c WHERE c.fence = 'alone' AND c.lease_expires_at > now()
    ORDER BY (SELECT count(*) FROM (
      SELECT 1 FROM calls o WHERE o.fence = 'alone' AND o.account_id = c.account_id AND o.lease_expires_at > now() LIMIT 50
    ) n), c.lease_expires_at
    LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
  );
  v_calls := ARRAY(SELECT j.call_id FROM jobs j WHERE j.call_id = ANY (v_calls) FOR NO KEY UPDATE SKIP LOCKED);
  RETURN QUERY SELECT * FROM start_queued_calls(v_calls, p_fence, p_lease_seconds);
END $$;
