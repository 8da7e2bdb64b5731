-- Fast path: admits, charges and records calls that have run, with their responses and ended jobs.
-- If a key, account or record does not admit its calls, returns its id with fits = false and writes
-- nothing. The account is locked last, so that groups of one account overlap (docs/decisions/0032).
CREATE OR REPLACE FUNCTION commit_calls(
  p_calls json, -- rows of toCommitRow (server/calls/run-first/commit-store.ts)
  p_records json, -- responses to store, in records that their requests own; null: none
  p_window_seconds int[],
  p_quotas int[],
  p_slots int
) RETURNS TABLE (id text, fits boolean, available bigint, window_used int[], window_resets int[])
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_calls recorded_call[];
  v_incomplete boolean;
  v_has_jobs boolean;
  v_keys text[];
  v_key_accounts text[];
  v_key_rules int[];
  v_key_calls int[];
  v_key_holds bigint[];
  v_key_costs bigint[];
  v_accounts text[];
  v_account_holds bigint[];
  v_account_costs bigint[];
  v_charged text[];
  v_available bigint[];
  v_rejected text[];
  v_now timestamptz;
  v_month date;
  v_updated int;
BEGIN
  SELECT array_agg(c), bool_or(num_nulls(c.id, c.key_id, c.account_id, c.billing, c.tool, c.skill, c.success, c.raw_microusd,
      c.markup_microusd, c.hold_microusd, c.byok, c.latency_ms, c.created_at, c.rules_version) > 0
    OR c.success = (c.error_code IS NOT NULL)), bool_or(c.job_id IS NOT NULL)
  INTO v_calls, v_incomplete, v_has_jobs
  FROM json_populate_recordset(NULL::recorded_call, p_calls) AS c;
  IF v_incomplete THEN
    RAISE EXCEPTION 'commit_calls: a call lacks a field' USING ERRCODE = 'null_value_not_allowed';
  END IF;
  IF p_records IS NOT NULL THEN
    SELECT bool_or(num_nulls(r.account_id, r.key, r.call_id, r.charged_account_id, r.owner, r.fingerprint, r.reply) > 0),
      -- Not a join, which may read the complete table.
      array_agg(r.call_id) FILTER (WHERE (SELECT i.fence <> r.owner OR i.finished_at IS NOT NULL FROM idempotency_keys i
        WHERE i.account_id = r.account_id AND i.key = r.key AND i.part = coalesce(r.part, 0)))
    INTO v_incomplete, v_rejected
    FROM json_to_recordset(p_records) AS r(account_id text, key text, part smallint, call_id text, charged_account_id text, owner text,
      fingerprint text, reply text);
    IF v_incomplete THEN
      RAISE EXCEPTION 'commit_calls: a record lacks a field' USING ERRCODE = 'null_value_not_allowed';
    ELSIF v_rejected IS NOT NULL THEN
      RETURN QUERY SELECT r, false, NULL::bigint, NULL::int[], NULL::int[] FROM unnest(v_rejected) AS r;
      RETURN;
    END IF;
  END IF;

  SELECT array_agg(k.id), array_agg(k.account_id), array_agg(k.rules), array_agg(k.calls), array_agg(k.hold), array_agg(k.cost)
  INTO v_keys, v_key_accounts, v_key_rules, v_key_calls, v_key_holds, v_key_costs
  FROM (
    SELECT c.key_id AS id,
      -- A claim moved the key between two of its calls: no account admits them.
      CASE WHEN min(c.account_id) = max(c.account_id) THEN min(c.account_id) ELSE '' END AS account_id,
      -- The oldest: if one call was checked against other rules, none of its key is admitted.
      min(c.rules_version) AS rules, count(*)::int AS calls, sum(c.hold_microusd)::bigint AS hold,
      sum(c.raw_microusd + c.markup_microusd)::bigint AS cost
    FROM unnest(v_calls) AS c GROUP BY c.key_id
  ) k;
  v_accounts := v_key_accounts;
  v_account_holds := v_key_holds;
  v_account_costs := v_key_costs;
  IF cardinality(v_keys) > 1 THEN
    SELECT array_agg(a.id), array_agg(a.hold), array_agg(a.cost) INTO v_accounts, v_account_holds, v_account_costs
    FROM (
      SELECT u.id, sum(u.hold)::bigint AS hold, sum(u.cost)::bigint AS cost
      FROM unnest(v_key_accounts, v_key_holds, v_key_costs) AS u(id, hold, cost) GROUP BY u.id
    ) a;
  END IF;

  PERFORM 1 FROM api_keys k WHERE k.id = ANY (v_keys) ORDER BY k.id FOR NO KEY UPDATE;
  -- Read after the locks of the keys: a wait for them must not count a call in a window that has
  -- ended.
  v_now := clock_timestamp();
  v_month := date_trunc('month', v_now AT TIME ZONE 'UTC')::date;
  IF cardinality(v_keys) > 1 THEN
    SELECT array_agg(r.id) INTO v_rejected FROM (
      SELECT u.id FROM unnest(v_keys, v_key_accounts, v_key_rules, v_key_calls, v_key_holds)
        AS u(id, account_id, rules, calls, hold)
      LEFT JOIN api_keys k ON k.id = u.id
      WHERE k.id IS NULL OR admission_refusal(k, NULL, u.account_id, 'personal', u.rules, u.calls, u.hold,
        p_window_seconds, p_quotas, p_slots, v_now) IS NOT NULL
      UNION ALL
      -- Without a lock: the rows decide again under their locks, below.
      SELECT u.id FROM unnest(v_accounts, v_account_holds) AS u(id, hold) LEFT JOIN accounts a ON a.id = u.id
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
  FROM unnest(v_keys, v_key_accounts, v_key_rules, v_key_calls, v_key_holds, v_key_costs)
    AS u(id, account_id, rules, calls, hold, cost)
  JOIN accounts a ON a.id = u.account_id
  -- Decides for a single key, which the check above leaves out.
  WHERE k.id = u.id AND admission_refusal(k, a, u.account_id, 'personal', u.rules, u.calls, u.hold,
    p_window_seconds, p_quotas, p_slots, v_now) IS NULL
  RETURNING k.id, true, NULL::bigint, k.window_used, window_resets(k.window_started_at, p_window_seconds, v_now);
  GET DIAGNOSTICS v_updated = ROW_COUNT;
  IF v_updated = 0 THEN
    RETURN QUERY SELECT r, false, NULL::bigint, NULL::int[], NULL::int[] FROM unnest(v_keys) AS r;
    RETURN;
  ELSIF v_updated < cardinality(v_keys) THEN
    -- An account changed since the check: this rolls back all of it.
    RAISE EXCEPTION 'an account no longer admits its calls' USING ERRCODE = 'TG409';
  END IF;

  PERFORM record_calls(v_calls, v_now);

  IF cardinality(v_accounts) > 1 THEN
    PERFORM 1 FROM accounts a
    WHERE a.id IN (SELECT u.id FROM unnest(v_accounts, v_account_holds) AS u(id, hold) WHERE u.hold > 0)
    ORDER BY a.id FOR NO KEY UPDATE;
  END IF;
  -- Decides on each account's row under its lock; the month must still be the one in which the call
  -- is counted.
  WITH charged AS (
    UPDATE accounts a SET
      balance_microusd = a.balance_microusd - u.cost,
      month_spent_microusd = CASE WHEN a.month_start = v_month THEN a.month_spent_microusd ELSE 0 END + u.cost,
      month_start = v_month,
      reload_wanted_at = CASE WHEN a.auto_reload_enabled AND a.reload_wanted_at IS NULL AND u.cost > 0
        AND a.balance_microusd - a.held_microusd - u.cost < a.reload_threshold_microusd THEN v_now ELSE a.reload_wanted_at END,
      warn_below_microusd = CASE WHEN u.cost > 0 AND a.balance_microusd - a.held_microusd - u.cost < a.warn_below_microusd
        THEN NULL ELSE a.warn_below_microusd END
    FROM unnest(v_accounts, v_account_holds, v_account_costs) AS u(id, hold, cost)
    WHERE a.id = u.id AND u.hold > 0 AND u.cost <= u.hold
      AND admission_refusal(NULL, a, u.id, 'personal', NULL, 0, u.hold, NULL, NULL, NULL, v_now) IS NULL
      AND date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date = v_month
    RETURNING a.id, a.balance_microusd - a.held_microusd AS available
  )
  SELECT array_agg(c.id), array_agg(c.available) INTO v_charged, v_available FROM charged c;
  IF coalesce(cardinality(v_charged), 0) < cardinality(array_remove(v_account_holds, 0::bigint)) THEN
    -- Another transaction spent first, since the unlocked check: this rolls back all of it.
    RAISE EXCEPTION 'an account no longer admits its calls' USING ERRCODE = 'TG409';
  END IF;
  IF 0 = ANY (v_account_holds) THEN
    SELECT v_charged || array_agg(a.id), v_available || array_agg(a.balance_microusd - a.held_microusd)
    INTO v_charged, v_available
    FROM unnest(v_accounts, v_account_holds) AS u(id, hold) JOIN accounts a ON a.id = u.id WHERE u.hold = 0;
  END IF;
  RETURN QUERY SELECT c.id, true, c.available, NULL::int[], NULL::int[] FROM unnest(v_charged, v_available) AS c(id, available);
  IF v_has_jobs THEN
    WITH ended AS (
      INSERT INTO jobs AS j (id, call_id, account_id, key_id, billing, tool, skill, status, queued, rerunnable, attempts,
        webhook_url, result, available_microusd, error, error_code, progress, created_at, started_at, finished_at)
      SELECT c.job_id, c.id, c.account_id, c.key_id, c.billing, c.tool, c.skill,
        CASE WHEN c.success THEN 'completed' ELSE 'failed' END, false, q.rerunnable, 1, q.webhook_url, q.result::json,
        v_available[array_position(v_charged, c.account_id)], q.error, c.error_code, CASE WHEN c.success THEN 1 END,
        c.created_at, c.created_at, clock_timestamp()
      FROM json_to_recordset(p_calls) AS q(id text, rerunnable boolean, webhook_url text, result text, error text)
        JOIN unnest(v_calls) AS c ON c.id = q.id AND c.job_id IS NOT NULL
      RETURNING j.*
    )
    SELECT count(emit_job_ended(e::jobs)) INTO v_updated FROM ended e;
  END IF;
  IF p_records IS NULL THEN
    RETURN;
  END IF;

  -- Sorted, and after the locks of keys and accounts: two groups with the same new keys insert them
  -- in the same order.
  INSERT INTO idempotency_keys AS i (account_id, key, part, fingerprint, call_id, rerunnable, fence, lease_expires_at,
    created_at, status, reply, available_microusd, finished_at)
  SELECT r.account_id, r.key, coalesce(r.part, 0), decode(r.fingerprint, 'hex'), r.call_id, true, r.owner, clock_timestamp(),
    clock_timestamp(), 200, r.reply::json, v_available[array_position(v_charged, r.charged_account_id)], clock_timestamp()
  FROM json_to_recordset(p_records) AS r(account_id text, key text, part smallint, call_id text, charged_account_id text, owner text,
    fingerprint text, reply text)
  ORDER BY r.account_id, r.key, r.part
  ON CONFLICT (account_id, key, part) DO UPDATE SET
    status = excluded.status, reply = excluded.reply, available_microusd = excluded.available_microusd,
    finished_at = excluded.finished_at
  WHERE i.fence = excluded.fence AND i.finished_at IS NULL;
  GET DIAGNOSTICS v_updated = ROW_COUNT;
  IF v_updated < json_array_length(p_records) THEN
    -- Another request stored one first, since the check: this rolls back all of it.
    RAISE EXCEPTION 'an Idempotency-Key is taken' USING ERRCODE = 'TG409';
  END IF;
  -- Identical requests wait for them.
  PERFORM pg_notify('gateway', 'call:' || r.call_id) FROM json_to_recordset(p_records) AS r(call_id text);
END $$;
