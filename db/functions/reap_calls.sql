-- Ends calls with an expired lease at no charge, their jobs and files. A call that a worker took
-- from the queue returns to it if it may run again and has attempts left. An idempotency record is
-- released if its call may run again, else it gets the failure.
CREATE OR REPLACE FUNCTION reap_calls(p_limit int, p_max_attempts int, p_wait_seconds int, p_error text, p_line text, p_reply json,
  p_queue_seconds int)
RETURNS TABLE (id text, outcome text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_row record;
  v_due text[];
  v_lost text[] := '{}';
  v_ends json;
  v_responses json;
  v_closed text[];
BEGIN
  -- Locks keys before calls, like cancel_job and end_calls; requeue_call locks calls alone.
  v_due := ARRAY(SELECT c.id FROM calls c WHERE c.lease_expires_at < clock_timestamp() ORDER BY c.lease_expires_at
    LIMIT p_limit);
  PERFORM 1 FROM api_keys k WHERE k.id IN (SELECT c.key_id FROM calls c WHERE c.id = ANY (v_due))
    ORDER BY k.id FOR NO KEY UPDATE;
  FOR v_row IN
    SELECT c.id,
      coalesce(j.queued AND j.rerunnable AND j.attempts < p_max_attempts AND c.fence NOT IN ('queue', 'alone'), false) AS again
    FROM calls c LEFT JOIN jobs j ON j.call_id = c.id
    WHERE c.id = ANY (v_due) AND c.lease_expires_at < clock_timestamp() ORDER BY c.lease_expires_at
  LOOP
    IF v_row.again THEN
      IF requeue_call(v_row.id, NULL, p_wait_seconds, p_line) THEN
        id := v_row.id;
        outcome := 'requeued';
        RETURN NEXT;
      END IF;
    ELSE
      v_lost := v_lost || v_row.id;
    END IF;
  END LOOP;

  SELECT json_agg(json_build_object('id', c.id, 'key_id', c.key_id, 'success', false, 'raw_microusd', 0,
      'markup_microusd', 0, 'byok', false, 'error_code', 'HANDLER_ERROR', 'error_message', e.message,
      'latency_ms', ms_since(c.created_at))),
    json_agg(json_build_object('call_id', c.id, 'error', e.message,
      'result', CASE WHEN i.rerunnable THEN NULL ELSE p_reply::text END))
  INTO v_ends, v_responses
  FROM calls c LEFT JOIN jobs j ON j.call_id = c.id
    LEFT JOIN idempotency_keys i ON i.call_id = c.id AND i.finished_at IS NULL
    CROSS JOIN LATERAL (
      SELECT CASE WHEN j.queued AND j.attempts = 0 THEN 'No worker took the call in time.' ELSE p_error END AS message
    ) e
  WHERE c.id = ANY (v_lost);
  IF v_ends IS NOT NULL THEN
    SELECT coalesce(array_agg(c.id), '{}') INTO v_closed FROM end_calls(v_ends, v_responses, NULL) c WHERE c.state = 'closed';
    -- The records that got no response: their calls may run again.
    DELETE FROM idempotency_keys i WHERE i.call_id = ANY (v_closed) AND i.finished_at IS NULL;
    UPDATE assets f SET deleted_at = now() WHERE f.call_id = ANY (v_closed) AND f.deleted_at IS NULL;
    RETURN QUERY SELECT c, 'failed' FROM unnest(v_closed) AS c;
  END IF;

  -- The release before runs only what graphile-worker names: its reaper names what no worker has
  -- taken. p_queue_seconds is null in this release.
  IF p_queue_seconds IS NOT NULL THEN
    PERFORM graphile_worker.add_job('run_call', json_build_object('callId', c.id), job_key := c.id)
    FROM calls c
    WHERE c.fence = 'queue' AND c.created_at < clock_timestamp() - make_interval(secs => p_queue_seconds)
      AND NOT EXISTS (
        SELECT 1 FROM graphile_worker.jobs g WHERE g.key = c.id
          AND coalesce(g.locked_at > clock_timestamp() - make_interval(secs => p_queue_seconds), true)
      )
    LIMIT p_limit;
  END IF;

  -- Jobs that waited for a slot in a process that is gone: no call of theirs was ever opened.
  RETURN QUERY
    WITH lost AS (
      UPDATE jobs j SET status = 'failed', error = p_error, error_code = 'HANDLER_ERROR', fence = NULL,
        lease_expires_at = NULL, finished_at = clock_timestamp()
      WHERE j.fence IS NOT NULL AND j.lease_expires_at < clock_timestamp() AND j.finished_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM calls c WHERE c.id = j.call_id)
      RETURNING j.call_id
    )
    SELECT l.call_id, 'failed' FROM lost l, LATERAL pg_notify('gateway', 'call:' || l.call_id);
END $$;
