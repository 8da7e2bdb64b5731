-- Ends calls, each once: charges or releases the hold, frees the slot and records the call; with
-- p_responses also ends jobs and stores responses. A call that has ended before is returned as it
-- ended. p_fence is the process that opened them; null ends only those with an expired lease.
CREATE OR REPLACE FUNCTION end_calls(
  p_ends json, -- rows of toEndRow (server/calls/settlement/store.ts)
  p_responses json, -- of calls that may be jobs or have an Idempotency-Key; null: of none
  p_fence text
) RETURNS TABLE (id text, state text, available bigint)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_ends recorded_call[];
  v_ids text[];
  v_keys text[];
  v_incomplete boolean;
  v_now timestamptz;
  v_month date;
  v_paid text[];
  v_calls recorded_call[];
  v_ended text[];
  v_available bigint[];
BEGIN
  SELECT array_agg(e), array_agg(e.id), array_agg(DISTINCT e.key_id),
    bool_or(num_nulls(e.id, e.key_id, e.success, e.raw_microusd, e.markup_microusd, e.byok, e.latency_ms) > 0
      OR e.success = (e.error_code IS NOT NULL))
  INTO v_ends, v_ids, v_keys, v_incomplete
  FROM json_populate_recordset(NULL::recorded_call, p_ends) AS e;
  IF v_incomplete OR EXISTS (
    SELECT 1 FROM json_to_recordset(p_responses) AS r(call_id text, result text)
    -- The reaper ends jobs without a response, to release their records.
    WHERE r.call_id IS NULL OR (r.result IS NULL AND p_fence IS NOT NULL)
  ) THEN
    RAISE EXCEPTION 'end_calls: an end lacks a field' USING ERRCODE = 'null_value_not_allowed';
  END IF;
  -- A claim moves a key's calls to another account under the key's lock: with it their account
  -- cannot change.
  PERFORM 1 FROM api_keys k WHERE k.id = ANY (v_keys) ORDER BY k.id FOR NO KEY UPDATE;
  SELECT array_agg(DISTINCT c.account_id) INTO v_paid
    FROM calls c WHERE c.id = ANY (v_ids) AND c.hold_microusd > 0;
  IF v_paid IS NOT NULL THEN
    PERFORM 1 FROM accounts a WHERE a.id = ANY (v_paid) ORDER BY a.id FOR NO KEY UPDATE;
  END IF;
  v_now := clock_timestamp();
  v_month := date_trunc('month', v_now AT TIME ZONE 'UTC')::date;

  WITH gone AS (
    DELETE FROM calls c
    USING unnest(v_ends) AS e
    WHERE c.id = e.id AND (c.fence = p_fence OR (p_fence IS NULL AND c.lease_expires_at < v_now))
    -- Clamped to the hold: no price function, however wrong, can charge more than was held.
    RETURNING ROW(c.id, c.key_id, c.account_id, c.billing, c.tool, c.skill, e.success,
      CASE WHEN e.success THEN least(e.raw_microusd, c.hold_microusd - least(e.markup_microusd, c.hold_microusd)) ELSE 0 END,
      CASE WHEN e.success THEN least(e.markup_microusd, c.hold_microusd) ELSE 0 END,
      c.hold_microusd, e.byok, e.error_code, e.latency_ms, c.created_at, c.request_id, c.client_address, NULL,
      e.error_message,
      CASE WHEN p_responses IS NOT NULL THEN (SELECT j.id FROM jobs j WHERE j.call_id = c.id) END)::recorded_call AS call
  )
  SELECT array_agg(g.call) INTO v_calls FROM gone g;
  IF v_calls IS NOT NULL THEN
    PERFORM record_calls(v_calls, v_now);
  END IF;
  -- What members had held of a team. Its account is locked, which serializes these rows.
  IF v_paid IS NOT NULL AND EXISTS (SELECT 1 FROM unnest(v_calls) c WHERE c.billing <> 'personal') THEN
    UPDATE memberships m SET spend_microusd = greatest(0, m.spend_microusd - (
      SELECT coalesce(sum(c.hold_microusd - c.markup_microusd - c.raw_microusd), 0)
      FROM unnest(v_calls) c JOIN api_keys k ON k.id = c.key_id JOIN accounts p ON p.id = k.account_id
      WHERE c.billing <> 'personal' AND c.account_id = m.account_id AND p.owner_user_id = m.user_id AND c.created_at >= m.spend_since
    ))
    WHERE m.spend_limit_microusd IS NOT NULL AND (m.account_id, m.user_id) IN (
      SELECT c.account_id, p.owner_user_id FROM unnest(v_calls) c JOIN api_keys k ON k.id = c.key_id JOIN accounts p ON p.id = k.account_id
      WHERE c.billing <> 'personal'
    );
  END IF;

  WITH gone AS (
    SELECT c.id, c.key_id, c.account_id, c.hold_microusd AS hold, c.markup_microusd AS markup, c.raw_microusd AS raw,
      c.created_at
    FROM unnest(v_calls) c
  ), freed AS (
    UPDATE api_keys k SET
      running = k.running - g.n,
      credits_held_microusd = k.credits_held_microusd - g.hold,
      credits_used_microusd = k.credits_used_microusd + g.cost,
      -- Calls that were admitted before the period are not counted in it.
      spend_microusd = CASE WHEN k.spend_limit_microusd IS NULL THEN k.spend_microusd ELSE greatest(0, k.spend_microusd - (
        SELECT coalesce(sum(c.hold - c.markup - c.raw), 0) FROM gone c WHERE c.key_id = k.id AND c.created_at >= k.spend_since
      )) END,
      last_used_at = v_now
    FROM (SELECT key_id, count(*)::int AS n, sum(hold) AS hold, sum(markup + raw) AS cost FROM gone GROUP BY key_id) g
    WHERE k.id = g.key_id
  ), settled AS (
    -- available = balance - held - debt + freed: what a hold releases pays a debt first.
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
  SELECT array_agg(g.id), array_agg(coalesce(s.available,
    (SELECT a.balance_microusd - a.held_microusd FROM accounts a WHERE a.id = g.account_id)))
  INTO v_ended, v_available
  FROM gone g LEFT JOIN settled s ON s.id = g.account_id;

  IF p_responses IS NOT NULL AND v_ended IS NOT NULL THEN
    UPDATE jobs j SET
      status = CASE WHEN c.success THEN 'completed' WHEN c.error_code = 'CANCELLED' THEN 'cancelled' ELSE 'failed' END,
      result = CASE WHEN c.success THEN r.result::json END,
      available_microusd = g.available,
      error = r.error,
      error_code = c.error_code,
      progress = CASE WHEN c.success THEN 1 ELSE j.progress END,
      input = NULL,
      fence = NULL,
      lease_expires_at = NULL,
      finished_at = clock_timestamp()
    FROM json_to_recordset(p_responses) AS r(call_id text, error text, result text)
      JOIN unnest(v_ended, v_available) AS g(id, available) ON g.id = r.call_id
      JOIN unnest(v_calls) AS c ON c.id = r.call_id
    WHERE j.call_id = r.call_id AND j.finished_at IS NULL;
    UPDATE idempotency_keys i SET
      status = CASE WHEN c.success THEN 200 ELSE 502 END,
      reply = r.result::json,
      available_microusd = g.available,
      finished_at = clock_timestamp()
    FROM json_to_recordset(p_responses) AS r(call_id text, result text)
      JOIN unnest(v_ended, v_available) AS g(id, available) ON g.id = r.call_id
      JOIN unnest(v_calls) AS c ON c.id = r.call_id
    WHERE i.call_id = r.call_id AND i.finished_at IS NULL AND r.result IS NOT NULL;
    PERFORM pg_notify('gateway', 'call:' || r.call_id) FROM json_to_recordset(p_responses) AS r(call_id text)
    WHERE r.call_id = ANY (v_ended);
  END IF;
  RETURN QUERY SELECT g.id, 'closed', g.available FROM unnest(v_ended, v_available) AS g(id, available);
  IF cardinality(v_ends) > coalesce(cardinality(v_ended), 0) THEN
    RETURN QUERY SELECT e.id, coalesce(b.state, 'lost'), b.available
    FROM unnest(v_ends) AS e LEFT JOIN LATERAL ended_before(e.key_id, e.id) b ON true
    WHERE e.id <> ALL (coalesce(v_ended, '{}'));
  END IF;
END $$;
