-- As in 0013, but for `refused`.
CREATE OR REPLACE FUNCTION settle_calls(
  p_keys text[],
  p_key_accounts text[],
  p_key_calls int[],
  p_key_holds bigint[],
  p_key_costs bigint[],
  p_accounts text[],
  p_account_holds bigint[],
  p_account_costs bigint[],
  p_sum_key_at int[],
  p_sum_tools text[],
  p_sum_calls int[],
  p_sum_failed int[],
  p_sum_raw bigint[],
  p_sum_markup bigint[],
  p_sum_latency bigint[],
  p_ids text[],
  p_key_at int[],
  p_tools text[],
  p_skills text[],
  p_raw bigint[],
  p_markup bigint[],
  p_error_codes text[],
  p_latency_ms int[],
  p_begun_ms bigint[],
  p_minute_quota int,
  p_hour_quota int,
  p_slots int
) RETURNS TABLE (subject text, fits boolean, available bigint, minute_used int, minute_reset int, hour_used int, hour_reset int)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_keys text[];
  v_accounts text[];
  v_now timestamptz;
  v_month date;
  v_charged int;
BEGIN
  SELECT array_agg(u.id) INTO v_keys
  FROM unnest(p_keys, p_key_accounts, p_key_calls, p_key_holds) AS u(id, account_id, calls, hold)
  LEFT JOIN (SELECT k.* FROM api_keys k WHERE k.id = ANY (p_keys) ORDER BY k.id FOR NO KEY UPDATE) k ON k.id = u.id
  WHERE (k.revoked_at IS NULL AND k.account_id = u.account_id AND k.running + u.calls <= p_slots
    AND u.calls + CASE WHEN clock_timestamp() < k.minute_started_at + interval '1 minute' THEN k.minute_used ELSE 0 END <= p_minute_quota
    AND u.calls + CASE WHEN clock_timestamp() < k.hour_started_at + interval '1 hour' THEN k.hour_used ELSE 0 END <= p_hour_quota
    AND (k.credits_microusd IS NULL OR u.hold = 0
      OR k.credits_used_microusd + k.credits_held_microusd + u.hold <= k.credits_microusd)) IS NOT TRUE;

  -- Only a look, without a lock: a hot account is locked at the end, so that groups write their records beside each other.
  SELECT array_agg(u.id) INTO v_accounts
  FROM unnest(p_accounts, p_account_holds) AS u(id, hold) LEFT JOIN accounts a ON a.id = u.id
  WHERE (a.frozen_at IS NULL AND a.closed_at IS NULL AND a.id IS NOT NULL AND (u.hold = 0
    OR a.disputed_at IS NULL AND a.debt_microusd = 0 AND a.held_microusd + u.hold <= a.balance_microusd
    AND (a.budget_limit_microusd IS NULL OR u.hold + a.held_microusd + CASE
      WHEN a.month_start = date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date THEN a.month_spent_microusd ELSE 0 END
      <= a.budget_limit_microusd))) IS NOT TRUE;
  IF v_keys IS NOT NULL OR v_accounts IS NOT NULL THEN
    RETURN QUERY SELECT u.id, false, 0::bigint, 0, 0, 0, 0 FROM unnest(v_keys || v_accounts) AS u(id);
    RETURN;
  END IF;

  -- Read after the locks of the keys: a wait for them must not place a call in a window that has ended.
  v_now := clock_timestamp();
  v_month := date_trunc('month', v_now AT TIME ZONE 'UTC')::date;
  RETURN QUERY
  UPDATE api_keys k SET
    minute_started_at = CASE WHEN v_now < k.minute_started_at + interval '1 minute' THEN k.minute_started_at ELSE v_now END,
    minute_used = u.calls + CASE WHEN v_now < k.minute_started_at + interval '1 minute' THEN k.minute_used ELSE 0 END,
    hour_started_at = CASE WHEN v_now < k.hour_started_at + interval '1 hour' THEN k.hour_started_at ELSE v_now END,
    hour_used = u.calls + CASE WHEN v_now < k.hour_started_at + interval '1 hour' THEN k.hour_used ELSE 0 END,
    credits_used_microusd = k.credits_used_microusd + u.cost,
    last_used_at = v_now
  FROM unnest(p_keys, p_key_calls, p_key_costs) AS u(id, calls, cost)
  WHERE k.id = u.id
  RETURNING k.id, true, NULL::bigint,
    k.minute_used, ceil(extract(epoch FROM k.minute_started_at + interval '1 minute' - v_now))::int,
    k.hour_used, ceil(extract(epoch FROM k.hour_started_at + interval '1 hour' - v_now))::int;

  INSERT INTO usage_records (account_id, id, key_id, billing, tool, skill, status, raw_cost_microusd, markup_microusd,
    byok, latency_ms, error_code, created_at, finished_at)
  SELECT p_key_accounts[u.key_at], u.id, p_keys[u.key_at], 'personal', u.tool, u.skill,
    CASE WHEN u.error_code IS NULL THEN 'success' ELSE 'error' END, u.raw, u.markup, false, u.latency_ms, u.error_code,
    to_timestamp(u.begun_ms / 1000.0), v_now
  FROM unnest(p_ids, p_key_at, p_tools, p_skills, p_raw, p_markup, p_error_codes, p_latency_ms, p_begun_ms)
    AS u(id, key_at, tool, skill, raw, markup, error_code, latency_ms, begun_ms);

  INSERT INTO ledger_entries (kind, ref, account_id, counter_account, amount_microusd, created_at)
  SELECT 'call', u.id, p_key_accounts[u.key_at], 'revenue', -(u.raw + u.markup), v_now
  FROM unnest(p_ids, p_key_at, p_raw, p_markup) AS u(id, key_at, raw, markup) WHERE u.raw + u.markup > 0;

  -- Under the lock of the key, whose sums nobody else touches meanwhile. The hour is that of finished_at, whatever time a
  -- gateway believes it is.
  INSERT INTO usage_rollups AS r (account_id, hour, key_id, tool, calls, failed, refused, byok_calls, raw_cost_microusd,
    markup_microusd, latency_ms_sum)
  SELECT p_key_accounts[u.key_at], date_trunc('hour', v_now, 'UTC'), p_keys[u.key_at], u.tool, u.calls, u.failed,
    CASE WHEN u.failed = 0 THEN 0 ELSE (
      SELECT count(*) FROM unnest(p_key_at, p_tools, p_error_codes) AS e(key_at, tool, code)
      WHERE e.key_at = u.key_at AND e.tool = u.tool AND e.code <> 'HANDLER_ERROR')::int END, 0,
    u.raw, u.markup, u.latency
  FROM unnest(p_sum_key_at, p_sum_tools, p_sum_calls, p_sum_failed, p_sum_raw, p_sum_markup, p_sum_latency)
    AS u(key_at, tool, calls, failed, raw, markup, latency)
  ON CONFLICT (account_id, hour, key_id, tool) DO UPDATE SET
    calls = r.calls + excluded.calls,
    failed = r.failed + excluded.failed,
    refused = r.refused + excluded.refused,
    raw_cost_microusd = r.raw_cost_microusd + excluded.raw_cost_microusd,
    markup_microusd = r.markup_microusd + excluded.markup_microusd,
    latency_ms_sum = r.latency_ms_sum + excluded.latency_ms_sum;

  IF cardinality(p_accounts) > 1 THEN
    PERFORM 1 FROM accounts a
    WHERE a.id IN (SELECT u.id FROM unnest(p_accounts, p_account_holds) AS u(id, hold) WHERE u.hold > 0)
    ORDER BY a.id FOR NO KEY UPDATE;
  END IF;
  -- Here it is decided, on the row as it is under its lock, which may not count a call in a month that has ended either.
  RETURN QUERY
  UPDATE accounts a SET
    balance_microusd = a.balance_microusd - u.cost,
    month_spent_microusd = CASE WHEN a.month_start = v_month THEN a.month_spent_microusd ELSE 0 END + u.cost,
    month_start = v_month,
    reload_wanted_at = CASE WHEN a.auto_reload_enabled AND a.reload_wanted_at IS NULL AND u.cost > 0
      AND a.balance_microusd - a.held_microusd - u.cost < a.reload_threshold_microusd THEN v_now ELSE a.reload_wanted_at END,
    warn_below_microusd = CASE WHEN u.cost > 0 AND a.balance_microusd - a.held_microusd - u.cost < a.warn_below_microusd
      THEN NULL ELSE a.warn_below_microusd END
  FROM unnest(p_accounts, p_account_holds, p_account_costs) AS u(id, hold, cost)
  WHERE a.id = u.id AND u.hold > 0 AND u.cost <= u.hold
    AND a.frozen_at IS NULL AND a.closed_at IS NULL AND a.disputed_at IS NULL AND a.debt_microusd = 0
    AND a.held_microusd + u.hold <= a.balance_microusd
    AND date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date = v_month
    AND (a.budget_limit_microusd IS NULL OR u.hold + a.held_microusd
      + CASE WHEN a.month_start = v_month THEN a.month_spent_microusd ELSE 0 END <= a.budget_limit_microusd)
  RETURNING a.id, true, a.balance_microusd - a.held_microusd, 0, 0, 0, 0;
  GET DIAGNOSTICS v_charged = ROW_COUNT;
  IF v_charged < cardinality(array_remove(p_account_holds, 0::bigint)) THEN
    -- Somebody else was first since the look: all of it is undone.
    RAISE EXCEPTION 'an account does not take its calls any more' USING ERRCODE = 'TG409';
  END IF;
  IF 0 = ANY (p_account_holds) THEN
    RETURN QUERY SELECT a.id, true, a.balance_microusd - a.held_microusd, 0, 0, 0, 0
    FROM unnest(p_accounts, p_account_holds) AS u(id, hold) JOIN accounts a ON a.id = u.id WHERE u.hold = 0;
  END IF;
END $$;
