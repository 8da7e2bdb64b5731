-- Fast path: admits, charges and records calls that have run, each charged to its key's account.
-- If a key or account does not admit all its calls, returns it with fits = false, writes nothing.
-- The account is locked last, so that groups of one account overlap (docs/decisions/0032).
CREATE OR REPLACE FUNCTION commit_fast_path_calls(
  p_keys text[], -- sorted
  p_key_accounts text[],
  p_key_rules int[],
  p_key_calls int[],
  p_key_holds bigint[],
  p_key_costs bigint[],
  p_accounts text[], -- sorted
  p_account_holds bigint[],
  p_account_costs bigint[],
  p_ids text[],
  p_key_at int[], -- index into p_keys
  p_tools text[],
  p_skills text[],
  p_raw bigint[],
  p_markup bigint[],
  p_error_codes text[],
  p_latency_ms int[],
  p_begun_ms bigint[],
  p_request_ids text[],
  p_client_addresses text[],
  p_window_seconds int[],
  p_quotas int[],
  p_slots int
) RETURNS TABLE (key_or_account_id text, fits boolean, available bigint, window_used int[], window_resets int[])
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_rejected text[];
  v_now timestamptz;
  v_month date;
  v_updated int;
BEGIN
  PERFORM 1 FROM api_keys k WHERE k.id = ANY (p_keys) ORDER BY k.id FOR NO KEY UPDATE;
  -- Read after the locks of the keys: a wait for them must not count a call in a window that has
  -- ended.
  v_now := clock_timestamp();
  v_month := date_trunc('month', v_now AT TIME ZONE 'UTC')::date;
  IF cardinality(p_keys) > 1 THEN
    SELECT array_agg(r.id) INTO v_rejected FROM (
      SELECT u.id FROM unnest(p_keys, p_key_accounts, p_key_rules, p_key_calls, p_key_holds)
        AS u(id, account_id, rules, calls, hold)
      LEFT JOIN api_keys k ON k.id = u.id
      WHERE k.id IS NULL OR admission_refusal(k, NULL, u.account_id, 'personal', u.rules, u.calls, u.hold,
        p_window_seconds, p_quotas, p_slots, v_now) IS NOT NULL
      UNION ALL
      -- Without a lock: the rows decide again under their locks, below.
      SELECT u.id FROM unnest(p_accounts, p_account_holds) AS u(id, hold) LEFT JOIN accounts a ON a.id = u.id
      WHERE a.id IS NULL OR admission_refusal(NULL, a, u.id, 'personal', NULL, 0, u.hold, NULL, NULL, NULL, v_now) IS NOT NULL
    ) r;
    IF v_rejected IS NOT NULL THEN
      RETURN QUERY SELECT r, false, NULL::bigint, NULL::int[], NULL::int[] FROM unnest(v_rejected) AS r;
      RETURN;
    END IF;
  END IF;

  RETURN QUERY
  UPDATE api_keys k SET
    window_started_at = window_starts(k.window_started_at, p_window_seconds, v_now),
    window_used = window_use(k.window_started_at, k.window_used, p_window_seconds, u.calls, v_now),
    credits_used_microusd = k.credits_used_microusd + u.cost,
    spend_microusd = CASE WHEN k.spend_limit_microusd IS NULL THEN k.spend_microusd
      ELSE u.cost + spend_in_period(k.spend_microusd, k.spend_since, k.spend_period, v_now) END,
    spend_since = CASE WHEN k.spend_limit_microusd IS NOT NULL THEN spend_start(k.spend_since, k.spend_period, v_now) END,
    last_used_at = v_now
  FROM unnest(p_keys, p_key_accounts, p_key_rules, p_key_calls, p_key_holds, p_key_costs)
    AS u(id, account_id, rules, calls, hold, cost)
  JOIN accounts a ON a.id = u.account_id
  -- Decides for a single key, which the check above leaves out.
  WHERE k.id = u.id AND admission_refusal(k, a, u.account_id, 'personal', u.rules, u.calls, u.hold,
    p_window_seconds, p_quotas, p_slots, v_now) IS NULL
  RETURNING k.id, true, NULL::bigint, k.window_used, window_resets(k.window_started_at, p_window_seconds, v_now);
  GET DIAGNOSTICS v_updated = ROW_COUNT;
  IF v_updated = 0 THEN
    RETURN QUERY SELECT r, false, NULL::bigint, NULL::int[], NULL::int[] FROM unnest(p_keys) AS r;
    RETURN;
  ELSIF v_updated < cardinality(p_keys) THEN
    -- An account changed since the check: this rolls back all of it.
    RAISE EXCEPTION 'an account no longer admits its calls' USING ERRCODE = 'TG409';
  END IF;

  PERFORM record_calls(ARRAY(
    SELECT ROW(u.id, p_keys[u.key_at], p_key_accounts[u.key_at], 'personal', u.tool, u.skill, u.error_code IS NULL, u.raw,
      u.markup, 0, false, u.error_code, u.latency_ms, to_timestamp(u.begun_ms / 1000.0), u.request_id,
      u.client_address)::recorded_call
    FROM unnest(p_ids, p_key_at, p_tools, p_skills, p_raw, p_markup, p_error_codes, p_latency_ms, p_begun_ms,
      p_request_ids, p_client_addresses)
      AS u(id, key_at, tool, skill, raw, markup, error_code, latency_ms, begun_ms, request_id, client_address)
  ), v_now);

  IF cardinality(p_accounts) > 1 THEN
    PERFORM 1 FROM accounts a
    WHERE a.id IN (SELECT u.id FROM unnest(p_accounts, p_account_holds) AS u(id, hold) WHERE u.hold > 0)
    ORDER BY a.id FOR NO KEY UPDATE;
  END IF;
  -- Decides on each account's row under its lock; the month must still be the one in which the call
  -- is counted.
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
    AND admission_refusal(NULL, a, u.id, 'personal', NULL, 0, u.hold, NULL, NULL, NULL, v_now) IS NULL
    AND date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date = v_month
  RETURNING a.id, true, a.balance_microusd - a.held_microusd, NULL::int[], NULL::int[];
  GET DIAGNOSTICS v_updated = ROW_COUNT;
  IF v_updated < cardinality(array_remove(p_account_holds, 0::bigint)) THEN
    -- Another transaction spent first, since the unlocked check: this rolls back all of it.
    RAISE EXCEPTION 'an account no longer admits its calls' USING ERRCODE = 'TG409';
  END IF;
  IF 0 = ANY (p_account_holds) THEN
    RETURN QUERY SELECT a.id, true, a.balance_microusd - a.held_microusd, NULL::int[], NULL::int[]
    FROM unnest(p_accounts, p_account_holds) AS u(id, hold) JOIN accounts a ON a.id = u.id WHERE u.hold = 0;
  END IF;
END $$;
