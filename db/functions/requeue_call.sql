-- Returns a queued call to the queue when its worker stops or is lost. p_fence: a call of this
-- worker, whose attempt is not counted; NULL: one with an expired lease. Locks the job before
-- numbering its log line, because the lost worker may still write one.
CREATE OR REPLACE FUNCTION requeue_call(p_call text, p_fence text, p_wait_seconds int, p_line text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE calls c SET fence = 'queue', lease_expires_at = clock_timestamp() + make_interval(secs => p_wait_seconds)
  WHERE c.id = p_call AND c.fence <> 'queue'
    AND (c.fence = p_fence OR (p_fence IS NULL AND c.lease_expires_at < clock_timestamp()));
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE jobs j SET attempts = j.attempts - CASE WHEN p_fence IS NULL THEN 0 ELSE 1 END WHERE j.call_id = p_call;
  INSERT INTO job_logs (job_id, seq, message, at)
  SELECT j.id, coalesce((SELECT max(l.seq) FROM job_logs l WHERE l.job_id = j.id), 0) + 1, p_line, clock_timestamp()
  FROM jobs j WHERE j.call_id = p_call;
  PERFORM pg_notify('gateway', 'queue');
  RETURN true;
END $$;
