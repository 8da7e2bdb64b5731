-- The rules of admission, in their order: why calls may not run now; null: they may. A null row,
-- version, hold, quota or number of slots leaves out its rules. PostgreSQL inlines it
-- (docs/decisions/0053): one expression, no subquery, STABLE.
CREATE OR REPLACE FUNCTION admission_refusal(
  p_key api_keys,
  p_account accounts,
  p_account_id text, -- the account that is charged
  p_billing text, -- personal: the account of the key, or the slug of another one, a team
  p_rules int, -- the version of the key's rules that the calls were checked against
  p_calls int,
  p_hold bigint, -- the most that all these calls can cost
  p_window_seconds int[],
  p_quotas int[], -- calls in each window, unless the key's account has quotas of its own
  p_slots int, -- the same for calls that may run at once
  p_now timestamptz
) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    CASE
      WHEN p_key.revoked_at IS NOT NULL THEN 'revoked'
      WHEN p_key.expires_at <= p_now THEN 'expired'
      -- The key has other rules since they were checked.
      WHEN p_key.rules_version <> p_rules THEN 'changed'
      -- A claim moved the key since it was read.
      WHEN p_billing = 'personal' AND p_key.account_id <> p_account_id THEN 'moved'
      WHEN p_account.frozen_at IS NOT NULL OR p_account.closed_at IS NOT NULL THEN 'frozen'
    END,
    CASE WHEN p_billing <> 'personal' THEN team_refusal(p_key.account_id, p_account_id) END,
    CASE WHEN p_hold > 0 AND p_account.disputed_at IS NOT NULL THEN 'disputed' END,
    'window ' || exceeded_window(p_key.window_started_at, p_key.window_used, p_window_seconds,
      p_quotas, p_key.account_quotas, p_key.rate_limits, p_calls, p_now),
    CASE
      WHEN p_slots IS NOT NULL AND p_key.running + p_calls > least(coalesce(p_key.account_concurrency, p_slots),
        p_key.concurrency_limit) THEN 'concurrency'
      WHEN p_hold <= 0 THEN NULL
      WHEN p_hold > p_account.budget_limit_microusd - p_account.held_microusd - (CASE
        WHEN p_account.month_start = date_trunc('month', p_now AT TIME ZONE 'UTC')::date
        THEN p_account.month_spent_microusd ELSE 0 END) THEN 'month'
      WHEN p_key.spend_limit_microusd IS NOT NULL AND p_hold > p_key.spend_limit_microusd - spend_in_period(p_key.spend_microusd,
        p_key.spend_since, p_key.spend_period, p_now) THEN 'spend'
      WHEN p_billing <> 'personal' AND exceeds_member_limit(p_key.account_id, p_account_id, p_hold, p_now) THEN 'member'
      WHEN p_account.debt_microusd > 0 THEN 'debt'
      WHEN p_hold > p_key.credits_microusd - p_key.credits_used_microusd - p_key.credits_held_microusd THEN 'key'
      WHEN p_hold > p_account.balance_microusd - p_account.held_microusd THEN 'account'
    END
  )
$$;
