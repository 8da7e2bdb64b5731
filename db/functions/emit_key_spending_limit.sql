-- Writes spending_limit.reached, and queues the email, after the limit of a key refused a call:
-- once a period and limit.
CREATE OR REPLACE FUNCTION emit_key_spending_limit(p_key text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_key api_keys%ROWTYPE;
  v_now timestamptz := clock_timestamp();
  v_period timestamptz;
BEGIN
  SELECT k.* INTO v_key FROM api_keys k WHERE k.id = p_key AND k.spend_limit_microusd IS NOT NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  v_period := date_trunc(v_key.spend_period, v_now, 'UTC');
  PERFORM queue_key_alert(v_key.account_id, key_alert_ref(v_key, false));
  PERFORM emit_webhook(v_key.account_id, 'spending_limit.reached', json_build_object(
    'account_id', v_key.account_id,
    'key_id', p_key,
    'period', v_key.spend_period,
    'spend_limit_usd', v_key.spend_limit_microusd / 1000000.0,
    'spent_usd', spend_in_period(v_key.spend_microusd, v_key.spend_since, v_key.spend_period, v_now) / 1000000.0,
    'resets_at', to_iso((v_period AT TIME ZONE 'UTC' + ('1 ' || v_key.spend_period)::interval) AT TIME ZONE 'UTC')
  ), p_key || ' ' || to_iso(v_period) || ' ' || v_key.spend_period || ' ' || v_key.spend_limit_microusd);
END $$;
