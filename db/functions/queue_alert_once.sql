-- Queues the email that a limit refuses calls, once for p_ref. Unclaimed accounts have no manager
-- to alert.
CREATE OR REPLACE FUNCTION queue_alert_once(p_kind text, p_account text, p_ref text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(p_kind || ' ' || p_ref, 0));
  INSERT INTO outgoing_emails (kind, account_id, ref)
  SELECT p_kind, a.id, p_ref FROM accounts a
  WHERE a.id = p_account AND a.budget_alerts AND a.owner_user_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM outgoing_emails e
      WHERE e.account_id = a.id AND e.kind = p_kind AND e.ref = p_ref);
  IF FOUND THEN
    PERFORM pg_notify('gateway', 'money');
  END IF;
END $$;
