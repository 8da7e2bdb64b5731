-- Closes a group of calls, then admits another, in one transaction: an ending and a beginning call
-- share a commit. All locks are taken first, keys before accounts, each in id order, so that two of
-- these statements cannot deadlock.
CREATE OR REPLACE FUNCTION close_and_admit_calls(
  p_close_ids text[],
  p_close_key_ids text[],
  p_success boolean[],
  p_markup bigint[],
  p_raw bigint[],
  p_byok boolean[],
  p_error_codes text[],
  p_latency_ms int[],
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
  p_rules int[],
  p_request_ids text[],
  p_client_addresses text[],
  p_fence text,
  p_lease_seconds int,
  p_window_seconds int[],
  p_quotas int[],
  p_slots int
) RETURNS TABLE (closed_id text, state text, available bigint, window_used int[], window_resets int[])
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM 1 FROM api_keys k WHERE k.id = ANY (p_keys || p_close_key_ids) ORDER BY k.id FOR NO KEY UPDATE;
  PERFORM 1 FROM accounts a WHERE a.id IN (
    SELECT u.id FROM unnest(p_accounts, p_account_paid) AS u(id, paid) WHERE u.paid
    UNION SELECT c.account_id FROM calls c WHERE c.id = ANY (p_close_ids) AND c.hold_microusd > 0
  ) ORDER BY a.id FOR NO KEY UPDATE;
  RETURN QUERY SELECT c.id, c.state, c.available, NULL::int[], NULL::int[]
    FROM close_calls(p_close_ids, p_close_key_ids, p_success, p_markup, p_raw, p_byok, p_error_codes, p_latency_ms, p_fence) c;
  -- A second statement, so that it sees the rows that the first one wrote.
  RETURN QUERY SELECT NULL::text, o.outcome, o.available, o.window_used, o.window_resets
    FROM admit_calls(p_keys, p_accounts, p_account_paid, p_ids, p_key_at, p_account_at, p_billing, p_tools, p_skills,
      p_holds, p_rules, p_request_ids, p_client_addresses, p_fence, p_lease_seconds, p_window_seconds, p_quotas, p_slots) o;
END $$;
