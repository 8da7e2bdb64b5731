-- For workers of the release before, which name one call: take_queued_calls replaces it. No row if
-- the call was already taken, was cancelled, or waited too long.
CREATE OR REPLACE FUNCTION start_queued_call(p_call text, p_fence text, p_lease_seconds int)
RETURNS TABLE (job_id text, key_id text, account_id text, billing text, tool text, skill text, input json, hold bigint,
  attempts int, last_seq int)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  UPDATE calls c SET fence = p_fence, lease_expires_at = clock_timestamp() + make_interval(secs => p_lease_seconds)
  WHERE c.id = p_call AND c.fence = 'queue' AND c.lease_expires_at > clock_timestamp();
  IF NOT FOUND THEN
    RETURN;
  END IF;
  RETURN QUERY
    UPDATE jobs j SET status = 'running', attempts = j.attempts + 1, started_at = coalesce(j.started_at, clock_timestamp())
    FROM calls c WHERE c.id = p_call AND j.call_id = p_call
    RETURNING j.id, c.key_id, c.account_id, c.billing, c.tool, c.skill, j.input, c.hold_microusd, j.attempts,
      coalesce((SELECT max(l.seq) FROM job_logs l WHERE l.job_id = j.id), 0);
END $$;
