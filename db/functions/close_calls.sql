-- As in 0007, but for `refused`.
CREATE OR REPLACE FUNCTION close_calls(
  p_ids text[],
  p_key_ids text[],
  p_success boolean[],
  p_markup bigint[],
  p_raw bigint[],
  p_byok boolean[],
  p_error_codes text[],
  p_latency_ms int[],
  p_fence text
) RETURNS TABLE (id text, state text, available bigint)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz;
  v_month date;
  v_paid text[];
BEGIN
  -- A claim moves a key's calls to another account under the key's lock; after it their account stands still.
  PERFORM 1 FROM api_keys k WHERE k.id = ANY (p_key_ids) ORDER BY k.id FOR NO KEY UPDATE;
  SELECT array_agg(DISTINCT c.account_id) INTO v_paid
    FROM calls c WHERE c.id = ANY (p_ids) AND c.hold_microusd > 0;
  IF v_paid IS NOT NULL THEN
    PERFORM 1 FROM accounts a WHERE a.id = ANY (v_paid) ORDER BY a.id FOR NO KEY UPDATE;
  END IF;
  v_now := clock_timestamp();
  v_month := date_trunc('month', v_now AT TIME ZONE 'UTC')::date;

  RETURN QUERY
  WITH ended AS (
    SELECT u.* FROM unnest(p_ids, p_success, p_markup, p_raw, p_byok, p_error_codes, p_latency_ms)
      AS u(id, success, markup, raw, byok, error_code, latency_ms)
  ), gone AS (
    DELETE FROM calls c USING ended e
    WHERE c.id = e.id AND (c.fence = p_fence OR (p_fence IS NULL AND c.lease_expires_at < v_now))
    RETURNING c.id, c.key_id, c.account_id, c.billing, c.tool, c.skill, c.hold_microusd AS hold, c.created_at,
      e.success, e.byok, e.error_code, e.latency_ms,
      -- Clamped to the hold: no price function, however wrong, can take more than was set aside.
      CASE WHEN e.success THEN least(e.markup, c.hold_microusd) ELSE 0 END AS markup,
      CASE WHEN e.success THEN least(e.raw, c.hold_microusd - least(e.markup, c.hold_microusd)) ELSE 0 END AS raw
  ), records AS (
    INSERT INTO usage_records (account_id, id, key_id, billing, tool, skill, status, raw_cost_microusd,
      markup_microusd, byok, latency_ms, error_code, created_at, finished_at)
    SELECT g.account_id, g.id, g.key_id, g.billing, g.tool, g.skill, CASE WHEN g.success THEN 'success' ELSE 'error' END,
      g.raw, g.markup, g.byok, g.latency_ms, g.error_code, g.created_at, v_now
    FROM gone g
  ), entries AS (
    INSERT INTO ledger_entries (kind, ref, account_id, counter_account, amount_microusd, created_at)
    SELECT 'call', g.id, g.account_id, 'revenue', -(g.markup + g.raw), v_now
    FROM gone g WHERE g.markup + g.raw > 0
  ), rollups AS (
    INSERT INTO usage_rollups AS r (account_id, hour, key_id, tool, calls, failed, refused, byok_calls, raw_cost_microusd,
      markup_microusd, latency_ms_sum)
    SELECT g.account_id, date_trunc('hour', v_now, 'UTC'), g.key_id, g.tool, count(*),
      count(*) FILTER (WHERE NOT g.success),
      count(*) FILTER (WHERE NOT g.success AND (g.byok OR g.error_code <> 'HANDLER_ERROR')), count(*) FILTER (WHERE g.byok), sum(g.raw), sum(g.markup), sum(g.latency_ms)
    FROM gone g GROUP BY g.account_id, g.key_id, g.tool ORDER BY g.account_id, g.key_id, g.tool
    ON CONFLICT (account_id, hour, key_id, tool) DO UPDATE SET
      calls = r.calls + excluded.calls,
      failed = r.failed + excluded.failed,
      refused = r.refused + excluded.refused,
      byok_calls = r.byok_calls + excluded.byok_calls,
      raw_cost_microusd = r.raw_cost_microusd + excluded.raw_cost_microusd,
      markup_microusd = r.markup_microusd + excluded.markup_microusd,
      latency_ms_sum = r.latency_ms_sum + excluded.latency_ms_sum
  ), freed AS (
    UPDATE api_keys k SET
      running = k.running - g.n,
      credits_held_microusd = k.credits_held_microusd - g.hold,
      credits_used_microusd = k.credits_used_microusd + g.cost,
      last_used_at = v_now
    FROM (SELECT key_id, count(*)::int AS n, sum(hold) AS hold, sum(markup + raw) AS cost FROM gone GROUP BY key_id) g
    WHERE k.id = g.key_id
  ), settled AS (
    -- What is free afterwards, without a debt: balance - held - debt + freed. A debt takes what a hold gives back.
    UPDATE accounts a SET
      balance_microusd = a.held_microusd - g.hold + greatest(a.balance_microusd - a.held_microusd - a.debt_microusd + g.freed, 0),
      held_microusd = a.held_microusd - g.hold,
      debt_microusd = greatest(-(a.balance_microusd - a.held_microusd - a.debt_microusd + g.freed), 0),
      month_spent_microusd = CASE WHEN a.month_start = v_month THEN a.month_spent_microusd ELSE 0 END + g.cost,
      month_start = v_month,
      reload_wanted_at = CASE WHEN a.auto_reload_enabled AND a.reload_wanted_at IS NULL AND g.cost > 0
        AND a.balance_microusd - a.held_microusd - a.debt_microusd + g.freed < a.reload_threshold_microusd THEN v_now ELSE a.reload_wanted_at END,
      warn_below_microusd = CASE WHEN g.cost > 0 AND a.balance_microusd - a.held_microusd - a.debt_microusd + g.freed < a.warn_below_microusd
        THEN NULL ELSE a.warn_below_microusd END
    FROM (
      SELECT account_id, sum(hold)::bigint AS hold, sum(markup + raw)::bigint AS cost,
        sum(hold - markup - raw)::bigint AS freed
      FROM gone WHERE hold > 0 GROUP BY account_id
    ) g
    WHERE a.id = g.account_id
    RETURNING a.id, a.balance_microusd - a.held_microusd AS available
  )
  SELECT g.id, 'closed', coalesce(s.available, (SELECT a.balance_microusd - a.held_microusd FROM accounts a WHERE a.id = g.account_id))
  FROM gone g LEFT JOIN settled s ON s.id = g.account_id
  UNION ALL
  SELECT e.id, coalesce(b.state, 'lost'), b.available
  FROM unnest(p_ids, p_key_ids) AS e(id, key_id)
  LEFT JOIN LATERAL closed_before(e.key_id, e.id) b ON true
  WHERE e.id NOT IN (SELECT g.id FROM gone g);
END $$;
