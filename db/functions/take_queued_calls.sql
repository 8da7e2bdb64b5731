-- Takes queued calls for a worker. The next place goes to the account that has the fewest in this
-- take and p_running, the accounts of what it runs; of several, to the one that has waited longest.
-- Waits for no lock: what is locked is being taken or cancelled.
CREATE OR REPLACE FUNCTION take_queued_calls(p_fence text, p_lease_seconds int, p_limit int, p_running text[])
RETURNS TABLE (id text, job_id text, key_id text, account_id text, billing text, charged_to text, tool text, skill text,
  input json, hold bigint, attempts int, last_seq int, credential json, prices json, request_id text)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_fair text[];
  v_calls text[] := '{}';
  v_lost text[];
BEGIN
  -- Each of one table, so that every plan reads an index of what waits, in its order.
  IF (SELECT count(*) FROM (
    SELECT 1 FROM calls c WHERE c.fence = 'queue' AND c.lease_expires_at > now() LIMIT p_limit + 1
  ) w) > p_limit THEN
    v_fair := ARRAY(
      -- The first accounts, those after the last that started, and those that have waited longest:
      -- all of them, or so many that the cost does not depend on how many wait.
      WITH RECURSIVE walk AS (
        SELECT n.account_id, 1 AS step FROM unnest(ARRAY['', p_running[cardinality(p_running)]]) p CROSS JOIN LATERAL (
          SELECT c.account_id FROM calls c WHERE c.fence = 'queue' AND c.account_id > p ORDER BY c.account_id LIMIT 1
        ) n
        UNION
        SELECT n.account_id, w.step + 1 FROM walk w CROSS JOIN LATERAL (
          SELECT c.account_id FROM calls c WHERE c.fence = 'queue' AND c.account_id > w.account_id ORDER BY c.account_id LIMIT 1
        ) n
        WHERE w.step < 50
      ), waiting AS (
        SELECT w.account_id FROM walk w
        UNION
        (SELECT c.account_id FROM calls c WHERE c.fence = 'queue' AND c.lease_expires_at > now() ORDER BY c.lease_expires_at LIMIT 50)
      )
      SELECT f.id FROM waiting w CROSS JOIN LATERAL (
        SELECT q.id, q.lease_expires_at,
          row_number() OVER (ORDER BY q.lease_expires_at) + cardinality(array_positions(p_running, w.account_id)) AS place
        FROM (
          SELECT c.id, c.lease_expires_at FROM calls c
          WHERE c.fence = 'queue' AND c.account_id = w.account_id AND c.lease_expires_at > now()
          ORDER BY c.lease_expires_at LIMIT p_limit
        ) q
      ) f
      ORDER BY f.place, f.lease_expires_at LIMIT p_limit
    );
    v_calls := ARRAY(SELECT c.id FROM calls c WHERE c.id = ANY (v_fair) AND c.fence = 'queue' FOR NO KEY UPDATE SKIP LOCKED);
  END IF;
  -- All that wait, or instead of what other workers are taking.
  v_calls := v_calls || ARRAY(
    SELECT c.id FROM calls c WHERE c.fence = 'queue' AND c.lease_expires_at > now() AND c.id <> ALL (v_calls)
    ORDER BY c.lease_expires_at LIMIT p_limit - cardinality(v_calls) FOR NO KEY UPDATE SKIP LOCKED
  );
  IF v_calls = '{}' THEN
    RETURN;
  END IF;
  SELECT coalesce(array_agg(j.call_id) FILTER (WHERE j.attempts < 2), '{}'), array_agg(j.call_id) FILTER (WHERE j.attempts >= 2)
  INTO v_calls, v_lost
  FROM (SELECT call_id, attempts FROM jobs WHERE call_id = ANY (v_calls) FOR NO KEY UPDATE SKIP LOCKED) j;
  -- Those that were lost with their process twice wait for take_lost_call, and are in no one's way.
  IF v_lost IS NOT NULL THEN
    UPDATE calls c SET fence = 'alone' WHERE c.id = ANY (v_lost);
    PERFORM pg_notify('gateway', 'queue');
  END IF;
  RETURN QUERY SELECT * FROM start_queued_calls(v_calls, p_fence, p_lease_seconds);
END $$;
