-- Queues the email after the credit limit of a key refused a call: once a limit.
CREATE OR REPLACE FUNCTION emit_key_credit_limit(p_key text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_key api_keys%ROWTYPE;
BEGIN
  SELECT k.* INTO v_key FROM api_keys k WHERE k.id = p_key AND k.credits_microusd IS NOT NULL;
  IF FOUND THEN
    PERFORM queue_key_alert(v_key.account_id, key_alert_ref(v_key, true));
  END IF;
END $$;
