-- Queues the email that a limit of a key refuses calls, once for p_ref of key_alert_ref: retention
-- keeps it while it is current.
CREATE OR REPLACE FUNCTION queue_key_alert(p_account text, p_ref text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM queue_alert_once('key_blocked', p_account, p_ref);
END $$;
