-- Queues the email that a limit of a key refuses calls, once for p_ref: the key, period, its start
-- and the limit. Unclaimed accounts have no manager to alert.
CREATE OR REPLACE FUNCTION queue_key_alert(p_account text, p_ref text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('key alert ' || p_ref, 0));
  INSERT INTO outgoing_emails (kind, account_id, ref)
  SELECT 'key_blocked', a.id, p_ref FROM accounts a
  WHERE a.id = p_account AND a.budget_alerts AND a.owner_user_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM outgoing_emails e
      WHERE e.account_id = a.id AND e.kind = 'key_blocked' AND e.ref = p_ref);
  IF FOUND THEN
    PERFORM pg_notify('gateway', 'money');
  END IF;
END $$;
