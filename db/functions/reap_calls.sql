-- Recovers calls with an expired lease. A queued call with an idempotent skill returns to the
-- queue; any other is closed at no charge and its job fails with a reason. The idempotency record
-- of an idempotent skill is released; for others the failure is stored as the response.
CREATE OR REPLACE FUNCTION reap_calls(p_limit int, p_max_attempts int, p_wait_seconds int, p_error text, p_line text, p_reply json,
  p_queue_seconds int)
RETURNS TABLE (id text, outcome text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_row record;
  v_due text[];
  v_ids text[] := '{}';
  v_keys text[] := '{}';
  v_ms int[] := '{}';
  v_closed text[];
  v_n int;
BEGIN
  -- Locks keys before calls, like cancel_job and finish_calls; requeue_call locks calls alone.
  v_due := ARRAY(SELECT c.id FROM calls c WHERE c.lease_expires_at < clock_timestamp() ORDER BY c.lease_expires_at
    LIMIT p_limit);
  PERFORM 1 FROM api_keys k WHERE k.id IN (SELECT c.key_id FROM calls c WHERE c.id = ANY (v_due))
    ORDER BY k.id FOR NO KEY UPDATE;
  FOR v_row IN
    SELECT c.id, c.key_id, c.fence, ms_since(c.created_at) AS ms,
      coalesce(j.queued AND j.rerunnable AND j.attempts < p_max_attempts AND c.fence <> 'queue', false) AS again
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
      v_ids := v_ids || v_row.id;
      v_keys := v_keys || v_row.key_id;
      v_ms := v_ms || v_row.ms;
    END IF;
  END LOOP;

  v_n := cardinality(v_ids);
  IF v_n > 0 THEN
    SELECT coalesce(array_agg(c.id), '{}') INTO v_closed FROM close_calls(v_ids, v_keys, array_fill(false, ARRAY[v_n]),
      array_fill(0::bigint, ARRAY[v_n]), array_fill(0::bigint, ARRAY[v_n]), array_fill(false, ARRAY[v_n]),
      array_fill('HANDLER_ERROR'::text, ARRAY[v_n]), v_ms, NULL) c WHERE c.state = 'closed';
    UPDATE usage_records u SET job_id = j.id FROM jobs j
    WHERE j.call_id = ANY (v_closed) AND u.key_id = j.key_id AND u.id = j.call_id;
    DELETE FROM idempotency_keys i WHERE i.call_id = ANY (v_closed) AND i.finished_at IS NULL AND i.rerunnable;
    UPDATE idempotency_keys i SET status = 502, reply = p_reply, finished_at = clock_timestamp()
    WHERE i.call_id = ANY (v_closed) AND i.finished_at IS NULL;
    UPDATE jobs j SET status = 'failed', error_code = 'HANDLER_ERROR', input = NULL, fence = NULL,
      error = CASE WHEN j.queued AND j.attempts = 0 THEN 'No worker took the call in time.' ELSE p_error END,
      lease_expires_at = NULL, finished_at = clock_timestamp()
    WHERE j.call_id = ANY (v_closed) AND j.finished_at IS NULL;
    PERFORM pg_notify('gateway', 'call:' || c) FROM unnest(v_closed) AS c;
    RETURN QUERY SELECT c, 'failed' FROM unnest(v_closed) AS c;
  END IF;

  -- Out of the queue, but never taken: its worker died in between. Back in, where another finds it;
  -- taken it is once.
  FOR v_row IN
    SELECT c.id FROM calls c
    WHERE c.fence = 'queue' AND c.created_at < clock_timestamp() - make_interval(secs => p_queue_seconds)
      AND NOT EXISTS (
        SELECT 1 FROM graphile_worker.jobs g WHERE g.key = c.id
          AND coalesce(g.locked_at > clock_timestamp() - make_interval(secs => p_queue_seconds), true)
      )
    ORDER BY c.created_at LIMIT p_limit
  LOOP
    PERFORM graphile_worker.add_job('run_call', json_build_object('callId', v_row.id), job_key := v_row.id);
    id := v_row.id;
    outcome := 'requeued';
    RETURN NEXT;
  END LOOP;

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
