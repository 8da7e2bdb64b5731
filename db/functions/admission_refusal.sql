-- The rules of admission, in their order: why calls may not run now; null: they may. The regular
-- path, the fast path and the dry run call it. Windows of the key must be current (roll_windows);
-- a null row, hold, quota or number of slots leaves out its rules.
CREATE OR REPLACE FUNCTION admission_refusal(
  p_key api_keys,
  p_account accounts,
  p_account_id text, -- the account that is charged
  p_billing text, -- personal, or the slug of a team
  p_calls int,
  p_hold bigint, -- the most that all these calls can cost
  p_quotas int[], -- calls in each window
  p_slots int -- calls that may run at once
) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_owner accounts;
BEGIN
  IF p_key.revoked_at IS NOT NULL THEN
    RETURN 'revoked';
  END IF;
  IF p_billing = 'personal' THEN
    -- A claim moved the key since it was read.
    IF p_key.account_id <> p_account_id THEN
      RETURN 'moved';
    END IF;
    IF p_account.frozen_at IS NOT NULL OR p_account.closed_at IS NOT NULL THEN
      RETURN 'frozen';
    END IF;
  ELSE
    SELECT a.* INTO v_owner FROM accounts a WHERE a.id = p_key.account_id;
    -- The owner of a frozen account spends nothing, of a team neither.
    IF p_account.frozen_at IS NOT NULL OR p_account.closed_at IS NOT NULL OR v_owner.frozen_at IS NOT NULL THEN
      RETURN 'frozen';
    END IF;
    IF NOT EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = v_owner.owner_user_id AND m.account_id = p_account_id) THEN
      RETURN 'forbidden';
    END IF;
  END IF;
  IF p_hold > 0 AND p_account.disputed_at IS NOT NULL THEN
    RETURN 'disputed';
  END IF;
  FOR i IN 1 .. coalesce(cardinality(p_quotas), 0) LOOP
    IF p_key.window_used[i] + p_calls > p_quotas[i] THEN
      RETURN 'window ' || i;
    END IF;
  END LOOP;
  IF p_key.running + p_calls > p_slots THEN
    RETURN 'concurrency';
  END IF;
  IF p_hold > 0 THEN
    IF p_hold > p_account.budget_limit_microusd - p_account.held_microusd - (CASE
      WHEN p_account.month_start = date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date
      THEN p_account.month_spent_microusd ELSE 0 END)
    THEN
      RETURN 'month';
    END IF;
    IF p_account.debt_microusd > 0 THEN
      RETURN 'debt';
    END IF;
    IF p_hold > p_key.credits_microusd - p_key.credits_used_microusd - p_key.credits_held_microusd THEN
      RETURN 'key';
    END IF;
    IF p_hold > p_account.balance_microusd - p_account.held_microusd THEN
      RETURN 'account';
    END IF;
  END IF;
  RETURN NULL;
END $$;
