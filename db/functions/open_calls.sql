-- For the release before admit_calls, which still runs during an upgrade.
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
BEGIN
  RETURN QUERY SELECT CASE o.outcome WHEN 'window 1' THEN 'minute' WHEN 'window 2' THEN 'hour' ELSE o.outcome END,
    o.available, o.window_used[1], o.window_resets[1], o.window_used[2], o.window_resets[2]
  FROM admit_calls(p_keys, p_accounts, p_account_paid, p_ids, p_key_at, p_account_at, p_billing, p_tools, p_skills, p_holds,
    NULL, NULL, NULL, p_fence, p_lease_seconds, ARRAY[60, 3600], ARRAY[p_minute_quota, p_hour_quota], p_slots) o;
END $$;
