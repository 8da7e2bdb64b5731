-- Admits a group of calls in their order: each takes its hold, slot and place in the windows, or
-- gets a refusal. Locks keys, then charged accounts, each in id order. p_key_at and p_account_at
-- are indexes into p_keys and p_accounts, which are sorted and unique.
CREATE OR REPLACE FUNCTION admit_calls(
  p_keys text[],
  p_accounts text[],
  p_account_paid boolean[], -- whether a call of the group can cost something
  p_ids text[],
  p_key_at int[],
  p_account_at int[],
  p_billing text[],
  p_tools text[],
  p_skills text[],
  p_holds bigint[],
  p_rules int[],
  p_request_ids text[],
  p_client_addresses text[],
  p_fence text,
  p_lease_seconds int,
  p_window_seconds int[],
  p_quotas int[],
  p_slots int
) RETURNS TABLE (outcome text, available bigint, window_used int[], window_resets int[])
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_keys api_keys[] := array_fill(NULL::api_keys, ARRAY[cardinality(p_keys)]);
  v_accounts accounts[] := array_fill(NULL::accounts, ARRAY[cardinality(p_accounts)]);
  v_key api_keys;
  v_account accounts;
  v_now timestamptz;
  v_admitted boolean[] := array_fill(false, ARRAY[cardinality(p_ids)]);
  v_key_changed boolean[] := array_fill(false, ARRAY[cardinality(p_keys)]);
  v_account_changed boolean[] := array_fill(false, ARRAY[cardinality(p_accounts)]);
BEGIN
  FOR v_key IN SELECT k.* FROM api_keys k WHERE k.id = ANY (p_keys) ORDER BY k.id FOR NO KEY UPDATE LOOP
    v_keys[array_position(p_keys, v_key.id)] := v_key;
  END LOOP;
  FOR v_account IN
    SELECT a.* FROM accounts a
    WHERE a.id IN (SELECT u.id FROM unnest(p_accounts, p_account_paid) AS u(id, paid) WHERE u.paid)
    ORDER BY a.id FOR NO KEY UPDATE
  LOOP
    v_accounts[array_position(p_accounts, v_account.id)] := v_account;
  END LOOP;
  -- Free calls do not change their account, so it is read without a lock.
  FOR v_account IN
    SELECT a.* FROM accounts a
    WHERE a.id IN (SELECT u.id FROM unnest(p_accounts, p_account_paid) AS u(id, paid) WHERE NOT u.paid)
  LOOP
    v_accounts[array_position(p_accounts, v_account.id)] := v_account;
  END LOOP;

  -- Read after the locks: a wait for them must not count a call in a window that has ended.
  v_now := clock_timestamp();
  FOR i IN 1 .. cardinality(p_ids) LOOP
    v_key := v_keys[p_key_at[i]];
    v_account := v_accounts[p_account_at[i]];
    IF v_key.id IS NULL THEN
      outcome := 'revoked';
    ELSE
      outcome := coalesce(admission_refusal(v_key, v_account, p_accounts[p_account_at[i]], p_billing[i], p_rules[i], 1,
        p_holds[i], p_window_seconds, p_quotas, p_slots, v_now), CASE WHEN v_account.id IS NULL THEN 'frozen' ELSE 'opened' END);
    END IF;
    v_key.window_used := window_use(v_key.window_started_at, v_key.window_used, p_window_seconds,
      CASE outcome WHEN 'opened' THEN 1 ELSE 0 END, v_now);
    v_key.window_started_at := window_starts(v_key.window_started_at, p_window_seconds, v_now);
    IF outcome = 'opened' THEN
      v_key.running := v_key.running + 1;
      v_key.credits_held_microusd := v_key.credits_held_microusd + p_holds[i];
      IF v_key.spend_limit_microusd IS NOT NULL THEN
        v_key.spend_microusd := p_holds[i] + spend_in_period(v_key.spend_microusd, v_key.spend_since, v_key.spend_period, v_now);
        v_key.spend_since := spend_start(v_key.spend_since, v_key.spend_period, v_now);
      END IF;
      v_keys[p_key_at[i]] := v_key;
      v_key_changed[p_key_at[i]] := true;
      v_admitted[i] := true;
      IF p_holds[i] > 0 THEN
        v_account.held_microusd := v_account.held_microusd + p_holds[i];
        v_accounts[p_account_at[i]] := v_account;
        v_account_changed[p_account_at[i]] := true;
        -- At once: the next call of the group may be another one of this member.
        IF p_billing[i] <> 'personal' THEN
          UPDATE memberships m SET
            spend_microusd = p_holds[i] + spend_in_period(m.spend_microusd, m.spend_since, 'month', v_now),
            spend_since = spend_start(m.spend_since, 'month', v_now)
          FROM accounts p
          WHERE p.id = v_key.account_id AND m.user_id = p.owner_user_id AND m.account_id = v_account.id
            AND m.spend_limit_microusd IS NOT NULL;
        END IF;
      END IF;
    END IF;
    available := coalesce(v_account.balance_microusd - v_account.held_microusd, 0);
    window_used := v_key.window_used;
    window_resets := window_resets(v_key.window_started_at, p_window_seconds, v_now);
    RETURN NEXT;
  END LOOP;
  IF NOT true = ANY (v_admitted) THEN
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
  WHERE k.id = u.id AND v_key_changed[array_position(p_keys, u.id)];

  INSERT INTO calls (id, key_id, account_id, billing, tool, skill, hold_microusd, fence, lease_expires_at, created_at,
    request_id, client_address)
  SELECT u.id, p_keys[u.key_at], p_accounts[u.account_at], u.billing, u.tool, u.skill, u.hold, p_fence,
    v_now + make_interval(secs => p_lease_seconds), v_now, u.request_id, u.client_address
  FROM unnest(p_ids, p_key_at, p_account_at, p_billing, p_tools, p_skills, p_holds, v_admitted, p_request_ids,
      p_client_addresses)
    AS u(id, key_at, account_at, billing, tool, skill, hold, admitted, request_id, client_address)
  WHERE u.admitted;

  UPDATE accounts a SET held_microusd = u.held_microusd
  FROM unnest(v_accounts) AS u
  WHERE a.id = u.id AND v_account_changed[array_position(p_accounts, u.id)];
END $$;
