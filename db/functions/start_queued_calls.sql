-- Starts queued calls for a worker, which is then responsible for completing them. Leaves out those
-- that were already taken, were cancelled, or waited too long.
CREATE OR REPLACE FUNCTION start_queued_calls(p_calls text[], p_fence text, p_lease_seconds int)
RETURNS TABLE (id text, job_id text, key_id text, account_id text, billing text, charged_to text, tool text, skill text,
  input json, hold bigint, attempts int, last_seq int, credential json, prices json, request_id text)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH taken AS (
    UPDATE calls c SET fence = p_fence, lease_expires_at = clock_timestamp() + make_interval(secs => p_lease_seconds)
    WHERE c.id = ANY (p_calls) AND c.fence IN ('queue', 'alone') AND c.lease_expires_at > clock_timestamp()
    RETURNING c.*
  ), started AS (
    UPDATE jobs j SET status = 'running', attempts = j.attempts + 1, started_at = coalesce(j.started_at, clock_timestamp())
    FROM taken t WHERE j.call_id = t.id
    RETURNING j.call_id, j.id, j.input, j.attempts
  )
  SELECT t.id, j.id, t.key_id, t.account_id, t.billing,
    coalesce((SELECT a.slug FROM accounts a WHERE a.id = t.account_id), t.billing), t.tool, t.skill, j.input, t.hold_microusd,
    j.attempts, coalesce((SELECT max(l.seq) FROM job_logs l WHERE l.job_id = j.id), 0),
    CASE WHEN q.slot IS NOT NULL
      THEN json_build_object('slot', q.slot, 'source', q.source, 'sealedKey', q.sealed_key) END,
    q.prices, t.request_id
  FROM taken t JOIN started j ON j.call_id = t.id LEFT JOIN queued_call_states q ON q.call_id = t.id
  ORDER BY t.created_at;
END $$;
