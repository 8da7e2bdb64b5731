-- Takes deliveries out of the queue whose turn it is, at most p_limit, in turns of accounts as
-- take_queued_calls. Leasing one decides whether it is sent now.
CREATE OR REPLACE FUNCTION take_queued_deliveries(p_limit int, p_running text[]) RETURNS TABLE (id text, account_id text)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_fair text[];
  v_taken text[] := '{}';
BEGIN
  IF (SELECT count(*) FROM (
    SELECT 1 FROM webhook_deliveries d WHERE d.queued_at <= now() LIMIT p_limit + 1
  ) w) > p_limit THEN
    v_fair := ARRAY(
      -- The first accounts, those after the last that started, and those that have waited longest:
      -- all of them, or so many that the cost does not depend on how many wait.
      WITH RECURSIVE walk AS (
        SELECT n.account_id, 1 AS step FROM unnest(ARRAY['', p_running[cardinality(p_running)]]) p CROSS JOIN LATERAL (
          SELECT d.account_id FROM webhook_deliveries d WHERE d.queued_at IS NOT NULL AND d.account_id > p ORDER BY d.account_id LIMIT 1
        ) n
        UNION
        SELECT n.account_id, w.step + 1 FROM walk w CROSS JOIN LATERAL (
          SELECT d.account_id FROM webhook_deliveries d WHERE d.queued_at IS NOT NULL AND d.account_id > w.account_id ORDER BY d.account_id LIMIT 1
        ) n
        WHERE w.step < 50
      ), waiting AS (
        SELECT w.account_id FROM walk w
        UNION
        (SELECT d.account_id FROM webhook_deliveries d WHERE d.queued_at <= now() ORDER BY d.queued_at LIMIT 50)
      )
      SELECT f.id FROM waiting w CROSS JOIN LATERAL (
        SELECT q.id, q.queued_at,
          row_number() OVER (ORDER BY q.queued_at) + cardinality(array_positions(p_running, w.account_id)) AS place
        FROM (
          SELECT d.id, d.queued_at FROM webhook_deliveries d WHERE d.queued_at <= now() AND d.account_id = w.account_id
          ORDER BY d.queued_at LIMIT p_limit
        ) q
      ) f
      ORDER BY f.place, f.queued_at LIMIT p_limit
    );
    v_taken := ARRAY(
      SELECT d.id FROM webhook_deliveries d WHERE d.id = ANY (v_fair) AND d.queued_at IS NOT NULL FOR NO KEY UPDATE SKIP LOCKED
    );
  END IF;
  v_taken := v_taken || ARRAY(
    SELECT d.id FROM webhook_deliveries d WHERE d.queued_at <= now() AND d.id <> ALL (v_taken)
    ORDER BY d.queued_at LIMIT p_limit - cardinality(v_taken) FOR NO KEY UPDATE SKIP LOCKED
  );
  RETURN QUERY UPDATE webhook_deliveries d SET queued_at = NULL WHERE d.id = ANY (v_taken) RETURNING d.id, d.account_id;
END $$;
