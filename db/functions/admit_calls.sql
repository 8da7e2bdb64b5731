-- Admits a group of calls in their order: each takes its hold, slot and place in the windows, or
-- gets a refusal. With the fence of the queue it also enqueues them, with their jobs. Locks keys,
-- then charged accounts, each in id order.
CREATE OR REPLACE FUNCTION admit_calls(
  p_calls json, -- rows of toAdmitRow (server/calls/admission/store.ts)
  p_fence text,
  p_lease_seconds int, -- of queued calls the longest wait: no process renews it before a worker
  p_window_seconds int[],
  p_quotas int[],
  p_slots int
) RETURNS TABLE (id text, outcome text, available bigint, window_used int[], window_resets int[])
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_calls recorded_call[];
  v_call recorded_call;
  v_incomplete boolean;
  v_key_ids text[];
  v_account_ids text[];
  v_paid_ids text[]; -- the accounts that a call of the group can cost something
  v_keys api_keys[];
  v_accounts accounts[];
  v_key api_keys;
  v_account accounts;
  v_key_at int;
  v_account_at int;
  v_now timestamptz;
  v_opened recorded_call[] := '{}';
  v_changed_keys text[] := '{}';
  v_changed_accounts text[] := '{}';
BEGIN
  -- Read alone: the DISTINCT of another aggregate would sort the calls, whose order decides.
  v_calls := ARRAY(SELECT c FROM json_populate_recordset(NULL::recorded_call, p_calls) AS c);
  SELECT array_agg(DISTINCT c.key_id), array_agg(DISTINCT c.account_id),
    array_agg(DISTINCT c.account_id) FILTER (WHERE c.hold_microusd > 0),
    bool_or(num_nulls(c.id, c.key_id, c.account_id, c.billing, c.tool, c.skill, c.hold_microusd, c.rules_version) > 0)
  INTO v_key_ids, v_account_ids, v_paid_ids, v_incomplete
  FROM unnest(v_calls) AS c;
  IF v_incomplete THEN
    RAISE EXCEPTION 'admit_calls: a call lacks a field' USING ERRCODE = 'null_value_not_allowed';
  END IF;
  v_keys := array_fill(NULL::api_keys, ARRAY[cardinality(v_key_ids)]);
  v_accounts := array_fill(NULL::accounts, ARRAY[cardinality(v_account_ids)]);
  FOR v_key IN SELECT k.* FROM api_keys k WHERE k.id = ANY (v_key_ids) ORDER BY k.id FOR NO KEY UPDATE LOOP
    v_keys[array_position(v_key_ids, v_key.id)] := v_key;
  END LOOP;
  FOR v_account IN
    SELECT a.* FROM accounts a WHERE a.id = ANY (v_paid_ids) ORDER BY a.id FOR NO KEY UPDATE
  LOOP
    v_accounts[array_position(v_account_ids, v_account.id)] := v_account;
  END LOOP;
  -- Free calls do not change their account, so it is read without a lock.
  IF cardinality(v_account_ids) > coalesce(cardinality(v_paid_ids), 0) THEN
    FOR v_account IN
      SELECT a.* FROM accounts a WHERE a.id = ANY (v_account_ids) AND a.id <> ALL (coalesce(v_paid_ids, '{}'))
    LOOP
      v_accounts[array_position(v_account_ids, v_account.id)] := v_account;
    END LOOP;
  END IF;

  -- Read after the locks: a wait for them must not count a call in a window that has ended.
  v_now := clock_timestamp();
  FOREACH v_call IN ARRAY v_calls LOOP
    v_key_at := array_position(v_key_ids, v_call.key_id);
    v_account_at := array_position(v_account_ids, v_call.account_id);
    v_key := v_keys[v_key_at];
    v_account := v_accounts[v_account_at];
    IF v_key.id IS NULL THEN
      outcome := 'revoked';
    ELSE
      outcome := coalesce(admission_refusal(v_key, v_account, v_call.account_id, v_call.billing, v_call.rules_version, 1,
        v_call.hold_microusd, p_window_seconds, p_quotas, p_slots, v_now),
        CASE WHEN v_account.id IS NULL THEN 'frozen' ELSE 'opened' END);
    END IF;
    v_key.window_used := window_use(v_key.window_started_at, v_key.window_used, p_window_seconds,
      CASE outcome WHEN 'opened' THEN 1 ELSE 0 END, v_now);
    v_key.window_started_at := window_starts(v_key.window_started_at, p_window_seconds, v_now);
    IF outcome = 'opened' THEN
      v_key.running := v_key.running + 1;
      v_key.credits_held_microusd := v_key.credits_held_microusd + v_call.hold_microusd;
      IF v_key.spend_limit_microusd IS NOT NULL THEN
        v_key.spend_microusd := v_call.hold_microusd
          + spend_in_period(v_key.spend_microusd, v_key.spend_since, v_key.spend_period, v_now);
        v_key.spend_since := spend_start(v_key.spend_since, v_key.spend_period, v_now);
      END IF;
      v_keys[v_key_at] := v_key;
      v_changed_keys := v_changed_keys || v_key.id;
      v_opened := v_opened || v_call;
      IF v_call.hold_microusd > 0 THEN
        v_account.held_microusd := v_account.held_microusd + v_call.hold_microusd;
        v_accounts[v_account_at] := v_account;
        v_changed_accounts := v_changed_accounts || v_account.id;
        -- At once: the next call of the group may be another one of this member.
        IF v_call.billing <> 'personal' THEN
          UPDATE memberships m SET
            spend_microusd = v_call.hold_microusd + spend_in_period(m.spend_microusd, m.spend_since, 'month', v_now),
            spend_since = spend_start(m.spend_since, 'month', v_now)
          FROM accounts p
          WHERE p.id = v_key.account_id AND m.user_id = p.owner_user_id AND m.account_id = v_account.id
            AND m.spend_limit_microusd IS NOT NULL;
        END IF;
      END IF;
    END IF;
    id := v_call.id;
    available := coalesce(v_account.balance_microusd - v_account.held_microusd, 0);
    window_used := v_key.window_used;
    window_resets := window_resets(v_key.window_started_at, p_window_seconds, v_now);
    RETURN NEXT;
  END LOOP;
  IF cardinality(v_opened) = 0 THEN
    RETURN;
  END IF;

  UPDATE api_keys k SET
    window_started_at = u.window_started_at,
    window_used = u.window_used,
    running = u.running,
    credits_held_microusd = u.credits_held_microusd,
    spend_microusd = u.spend_microusd,
    spend_since = u.spend_since
  FROM unnest(v_keys) AS u
  WHERE k.id = u.id AND u.id = ANY (v_changed_keys);

  INSERT INTO calls (id, key_id, account_id, billing, tool, skill, hold_microusd, fence, lease_expires_at, created_at,
    request_id, client_address)
  SELECT c.id, c.key_id, c.account_id, c.billing, c.tool, c.skill, c.hold_microusd, p_fence,
    v_now + make_interval(secs => p_lease_seconds), v_now, c.request_id, c.client_address
  FROM unnest(v_opened) AS c;

  UPDATE accounts a SET held_microusd = u.held_microusd
  FROM unnest(v_accounts) AS u
  WHERE a.id = u.id AND u.id = ANY (v_changed_accounts);

  IF p_fence = 'queue' THEN
    PERFORM enqueue_calls(p_calls, ARRAY(SELECT c.id FROM unnest(v_opened) AS c));
  END IF;
END $$;
