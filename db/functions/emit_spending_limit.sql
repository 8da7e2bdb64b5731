-- Writes spending_limit.reached once for each month and limit: when the limit is spent, or a call
-- was refused because it would exceed it.
CREATE OR REPLACE FUNCTION emit_spending_limit(p_account text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_account accounts%ROWTYPE;
  v_month timestamptz := date_trunc('month', clock_timestamp(), 'UTC');
BEGIN
  SELECT a.* INTO v_account FROM accounts a WHERE a.id = p_account AND a.budget_limit_microusd IS NOT NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  -- The rest may be smaller than every call: then a refused call reports the last threshold.
  UPDATE accounts a SET budget_alert_at_microusd = NULL
  WHERE a.id = p_account AND a.budget_alert_at_microusd = a.budget_limit_microusd
    AND a.month_start = (v_month AT TIME ZONE 'UTC')::date;
  IF FOUND THEN
    PERFORM queue_budget_alert(v_account, 100);
  END IF;
  PERFORM emit_webhook(p_account, 'spending_limit.reached', json_build_object(
    'account_id', p_account,
    'budget_limit_usd', v_account.budget_limit_microusd / 1000000.0,
    'spent_this_month_usd', CASE WHEN v_account.month_start = (v_month AT TIME ZONE 'UTC')::date
      THEN v_account.month_spent_microusd ELSE 0 END / 1000000.0,
    'resets_at', to_iso(date_trunc('month', v_month + interval '32 days', 'UTC'))
  ), to_iso(v_month) || ' ' || v_account.budget_limit_microusd);
END $$;
