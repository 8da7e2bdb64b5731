-- Returns queued calls of a worker to the front of the queue that it does not know: the answer that
-- named them was lost, so they have not started. Waits for no lock, as taking them.
CREATE OR REPLACE FUNCTION give_back_calls(p_fence text, p_known text[], p_wait_seconds int, p_lease_seconds int)
RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  v_calls text[];
BEGIN
  v_calls := ARRAY(
    SELECT c.id FROM calls c JOIN jobs j ON j.call_id = c.id
    WHERE c.fence = p_fence AND j.queued AND c.id <> ALL (p_known)
    FOR NO KEY UPDATE SKIP LOCKED
  );
  -- For at least a lease, if they have waited for nearly the longest time.
  UPDATE calls c SET fence = 'queue', lease_expires_at = greatest(c.created_at + make_interval(secs => p_wait_seconds),
    clock_timestamp() + make_interval(secs => p_lease_seconds))
  WHERE c.id = ANY (v_calls);
  UPDATE jobs j SET attempts = j.attempts - 1 WHERE j.call_id = ANY (v_calls);
  IF v_calls <> '{}' THEN
    PERFORM pg_notify('gateway', 'queue');
  END IF;
  RETURN cardinality(v_calls);
END $$;
