-- As before, but for disputes: while one is open, calls that cost something wait for its end.
CREATE OR REPLACE FUNCTION open_calls(
  p_keys text[],
  p_accounts text[],
  p_account_paid boolean[],
  p_ids text[],
  p_key_at int[],
  p_account_at int[],
  p_billing text[],
  p_tools text[],
  p_skills text[],
  p_holds bigint[],
  p_fence text,
  p_lease_seconds int,
  p_minute_quota int,
  p_hour_quota int,
  p_slots int
) RETURNS TABLE (outcome text, available bigint, minute_used int, minute_reset int, hour_used int, hour_reset int)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_now timestamptz;
  v_month date;
  v_row record;
  v_at int;
  v_n int := cardinality(p_ids);
  v_k int;
  v_a int;
  v_hold bigint;
  k_account text[] := array_fill(NULL::text, ARRAY[cardinality(p_keys)]);
  k_alive boolean[] := array_fill(false, ARRAY[cardinality(p_keys)]);
  k_credit_left bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(p_keys)]);
  k_minute_start timestamptz[] := array_fill(NULL::timestamptz, ARRAY[cardinality(p_keys)]);
  k_minute_used int[] := array_fill(0, ARRAY[cardinality(p_keys)]);
  k_hour_start timestamptz[] := array_fill(NULL::timestamptz, ARRAY[cardinality(p_keys)]);
  k_hour_used int[] := array_fill(0, ARRAY[cardinality(p_keys)]);
  k_running int[] := array_fill(0, ARRAY[cardinality(p_keys)]);
  k_opened int[] := array_fill(0, ARRAY[cardinality(p_keys)]);
  k_held bigint[] := array_fill(0::bigint, ARRAY[cardinality(p_keys)]);
  a_available bigint[] := array_fill(0::bigint, ARRAY[cardinality(p_accounts)]);
  a_room bigint[] := array_fill(NULL::bigint, ARRAY[cardinality(p_accounts)]);
  a_open boolean[] := array_fill(false, ARRAY[cardinality(p_accounts)]);
  a_debt boolean[] := array_fill(false, ARRAY[cardinality(p_accounts)]);
  a_disputed boolean[] := array_fill(false, ARRAY[cardinality(p_accounts)]);
  a_held bigint[] := array_fill(0::bigint, ARRAY[cardinality(p_accounts)]);
  accepted boolean[] := array_fill(false, ARRAY[v_n]);
  v_outcome text;
  v_member boolean;
  v_own_frozen boolean;
  v_any boolean := false;
BEGIN
  FOR v_row IN
    SELECT k.* FROM api_keys k WHERE k.id = ANY (p_keys) ORDER BY k.id FOR NO KEY UPDATE
  LOOP
    v_at := array_position(p_keys, v_row.id);
    k_account[v_at] := v_row.account_id;
    k_alive[v_at] := v_row.revoked_at IS NULL;
    k_credit_left[v_at] := v_row.credits_microusd - v_row.credits_used_microusd - v_row.credits_held_microusd;
    k_minute_start[v_at] := v_row.minute_started_at;
    k_minute_used[v_at] := v_row.minute_used;
    k_hour_start[v_at] := v_row.hour_started_at;
    k_hour_used[v_at] := v_row.hour_used;
    k_running[v_at] := v_row.running;
  END LOOP;

  FOR v_row IN
    SELECT a.* FROM accounts a
    WHERE a.id IN (SELECT u.id FROM unnest(p_accounts, p_account_paid) AS u(id, paid) WHERE u.paid)
    ORDER BY a.id FOR NO KEY UPDATE
  LOOP
    -- Read after the lock: a wait for it must not count a call in a month that has ended.
    v_month := date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date;
    v_at := array_position(p_accounts, v_row.id);
    a_available[v_at] := v_row.balance_microusd - v_row.held_microusd;
    a_open[v_at] := v_row.frozen_at IS NULL AND v_row.closed_at IS NULL;
    a_debt[v_at] := v_row.debt_microusd > 0;
    a_disputed[v_at] := v_row.disputed_at IS NOT NULL;
    a_room[v_at] := v_row.budget_limit_microusd - v_row.held_microusd
      - CASE WHEN v_row.month_start = v_month THEN v_row.month_spent_microusd ELSE 0 END;
  END LOOP;
  -- Accounts that only run free calls are read, not locked: nothing of theirs changes.
  FOR v_row IN
    SELECT a.* FROM accounts a
    WHERE a.id IN (SELECT u.id FROM unnest(p_accounts, p_account_paid) AS u(id, paid) WHERE NOT u.paid)
  LOOP
    v_at := array_position(p_accounts, v_row.id);
    a_available[v_at] := v_row.balance_microusd - v_row.held_microusd;
    a_open[v_at] := v_row.frozen_at IS NULL AND v_row.closed_at IS NULL;
  END LOOP;

  -- Read after the locks: a wait for them must not place a call in a window that has ended.
  v_now := clock_timestamp();
  FOR i IN 1 .. v_n LOOP
    v_k := p_key_at[i];
    v_a := p_account_at[i];
    v_hold := p_holds[i];
    IF k_minute_start[v_k] IS NULL OR v_now >= k_minute_start[v_k] + interval '1 minute' THEN
      k_minute_start[v_k] := v_now;
      k_minute_used[v_k] := 0;
    END IF;
    IF k_hour_start[v_k] IS NULL OR v_now >= k_hour_start[v_k] + interval '1 hour' THEN
      k_hour_start[v_k] := v_now;
      k_hour_used[v_k] := 0;
    END IF;

    -- An expression with a query in it is started as one even where its first half decides: so not in the chain below.
    v_member := true;
    v_own_frozen := false;
    IF p_billing[i] <> 'personal' THEN
      -- Whoever is frozen spends nothing, also not of a team's.
      v_own_frozen := EXISTS (SELECT 1 FROM accounts h WHERE h.id = k_account[v_k] AND h.frozen_at IS NOT NULL);
      v_member := EXISTS (
        SELECT 1 FROM accounts h JOIN memberships m ON m.user_id = h.owner_user_id
        WHERE h.id = k_account[v_k] AND m.account_id = p_accounts[v_a]
      );
    END IF;
    IF k_account[v_k] IS NULL OR NOT k_alive[v_k] THEN
      v_outcome := 'revoked';
    ELSIF p_billing[i] = 'personal' AND p_accounts[v_a] <> k_account[v_k] THEN
      -- The key moved with a claim since it was looked up: look it up again.
      v_outcome := 'moved';
    ELSIF NOT a_open[v_a] OR v_own_frozen THEN
      v_outcome := 'frozen';
    ELSIF NOT v_member THEN
      v_outcome := 'forbidden';
    ELSIF v_hold > 0 AND a_disputed[v_a] THEN
      v_outcome := 'disputed';
    ELSIF k_minute_used[v_k] >= p_minute_quota THEN
      v_outcome := 'minute';
    ELSIF k_hour_used[v_k] >= p_hour_quota THEN
      v_outcome := 'hour';
    ELSIF k_running[v_k] >= p_slots THEN
      v_outcome := 'concurrency';
    ELSIF v_hold > 0 AND v_hold > a_room[v_a] THEN
      v_outcome := 'month';
    ELSIF v_hold > 0 AND a_debt[v_a] THEN
      v_outcome := 'debt';
    ELSIF v_hold > 0 AND v_hold > k_credit_left[v_k] THEN
      v_outcome := 'key';
    ELSIF v_hold > 0 AND v_hold > a_available[v_a] THEN
      v_outcome := 'account';
    ELSE
      v_outcome := 'opened';
      v_any := true;
      accepted[i] := true;
      k_minute_used[v_k] := k_minute_used[v_k] + 1;
      k_hour_used[v_k] := k_hour_used[v_k] + 1;
      k_running[v_k] := k_running[v_k] + 1;
      k_opened[v_k] := k_opened[v_k] + 1;
      IF v_hold > 0 THEN
        k_credit_left[v_k] := k_credit_left[v_k] - v_hold;
        k_held[v_k] := k_held[v_k] + v_hold;
        a_available[v_a] := a_available[v_a] - v_hold;
        a_room[v_a] := a_room[v_a] - v_hold;
        a_held[v_a] := a_held[v_a] + v_hold;
      END IF;
    END IF;

    outcome := v_outcome;
    available := a_available[v_a];
    minute_used := k_minute_used[v_k];
    minute_reset := ceil(extract(epoch FROM k_minute_start[v_k] + interval '1 minute' - v_now));
    hour_used := k_hour_used[v_k];
    hour_reset := ceil(extract(epoch FROM k_hour_start[v_k] + interval '1 hour' - v_now));
    RETURN NEXT;
  END LOOP;

  IF NOT v_any THEN
    RETURN;
  END IF;
  UPDATE api_keys k SET
    minute_started_at = u.minute_start,
    minute_used = u.minute_used,
    hour_started_at = u.hour_start,
    hour_used = u.hour_used,
    running = u.running,
    credits_held_microusd = k.credits_held_microusd + u.held
  FROM unnest(p_keys, k_minute_start, k_minute_used, k_hour_start, k_hour_used, k_running, k_opened, k_held)
    AS u(id, minute_start, minute_used, hour_start, hour_used, running, opened, held)
  WHERE k.id = u.id AND u.opened > 0;

  INSERT INTO calls (id, key_id, account_id, billing, tool, skill, hold_microusd, fence, lease_expires_at, created_at)
  SELECT u.id, p_keys[u.key_at], p_accounts[u.account_at], u.billing, u.tool, u.skill, u.hold, p_fence,
    v_now + make_interval(secs => p_lease_seconds), v_now
  FROM unnest(p_ids, p_key_at, p_account_at, p_billing, p_tools, p_skills, p_holds, accepted)
    AS u(id, key_at, account_at, billing, tool, skill, hold, accepted)
  WHERE u.accepted;

  UPDATE accounts a SET held_microusd = a.held_microusd + u.held
  FROM unnest(p_accounts, a_held) AS u(id, held)
  WHERE a.id = u.id AND u.held > 0;
END $$;
