-- commit_fast_path_calls for a group in which some calls have an Idempotency-Key: also stores their
-- responses, in new records or those that their runs own. If another run has a record, returns the
-- id of the call with fits = false and writes nothing.
CREATE OR REPLACE FUNCTION commit_kept_calls(
  p_record_accounts text[],
  p_record_keys text[],
  p_record_calls int[], -- index into p_ids
  p_owners text[],
  p_fingerprints text[], -- hexadecimal
  p_replies text[],
  p_keys text[],
  p_key_accounts text[],
  p_key_rules int[],
  p_key_calls int[],
  p_key_holds bigint[],
  p_key_costs bigint[],
  p_accounts text[],
  p_account_holds bigint[],
  p_account_costs bigint[],
  p_ids text[],
  p_key_at int[],
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
  v_row record;
  v_fits boolean := true;
  v_accounts text[] := '{}';
  v_available bigint[] := '{}';
  v_inserted int;
BEGIN
  RETURN QUERY
  SELECT p_ids[r.call_at], false, NULL::bigint, NULL::int[], NULL::int[]
  FROM unnest(p_record_accounts, p_record_keys, p_record_calls, p_owners) AS r(account_id, key, call_at, owner)
  -- Not a join, which may read the complete table.
  WHERE (SELECT i.fence <> r.owner OR i.finished_at IS NOT NULL FROM idempotency_keys i
    WHERE i.account_id = r.account_id AND i.key = r.key AND i.part = 0);
  IF FOUND THEN
    RETURN;
  END IF;

  FOR v_row IN SELECT * FROM commit_fast_path_calls(p_keys, p_key_accounts, p_key_rules, p_key_calls, p_key_holds, p_key_costs,
    p_accounts, p_account_holds, p_account_costs, p_ids, p_key_at, p_tools, p_skills, p_raw, p_markup, p_error_codes, p_latency_ms,
    p_begun_ms, p_request_ids, p_client_addresses, p_window_seconds, p_quotas, p_slots)
  LOOP
    key_or_account_id := v_row.key_or_account_id;
    fits := v_row.fits;
    available := v_row.available;
    window_used := v_row.window_used;
    window_resets := v_row.window_resets;
    RETURN NEXT;
    v_fits := v_fits AND fits;
    IF available IS NOT NULL THEN
      v_accounts := v_accounts || key_or_account_id;
      v_available := v_available || available;
    END IF;
  END LOOP;
  IF NOT v_fits THEN
    RETURN;
  END IF;

  -- Sorted, and after the locks of keys and accounts: two groups with the same new keys insert them
  -- in the same order.
  INSERT INTO idempotency_keys AS i (account_id, key, part, fingerprint, call_id, rerunnable, fence, lease_expires_at,
    created_at, status, reply, available_microusd, finished_at)
  SELECT r.account_id, r.key, 0, decode(r.fingerprint, 'hex'), p_ids[r.call_at], true, r.owner, clock_timestamp(),
    clock_timestamp(), 200, r.reply::json, v_available[array_position(v_accounts, p_key_accounts[p_key_at[r.call_at]])],
    clock_timestamp()
  FROM unnest(p_record_accounts, p_record_keys, p_record_calls, p_owners, p_fingerprints, p_replies)
    AS r(account_id, key, call_at, owner, fingerprint, reply)
  ORDER BY r.account_id, r.key
  ON CONFLICT (account_id, key, part) DO UPDATE SET
    status = excluded.status, reply = excluded.reply, available_microusd = excluded.available_microusd,
    finished_at = excluded.finished_at
  WHERE i.fence = excluded.fence AND i.finished_at IS NULL;
  GET DIAGNOSTICS v_inserted = ROW_COUNT;
  IF v_inserted < cardinality(p_record_keys) THEN
    -- Another request stored one first, since the check: this rolls back all of it.
    RAISE EXCEPTION 'an Idempotency-Key is taken' USING ERRCODE = 'TG409';
  END IF;
  -- Identical requests wait only for a record that was acquired before; its owner is not the call.
  PERFORM pg_notify('gateway', 'call:' || p_ids[r.call_at]) FROM unnest(p_record_calls, p_owners) AS r(call_at, owner)
  WHERE r.owner <> p_ids[r.call_at];
END $$;
