-- Queues the email that an account has used p_percent of its monthly limit. Unclaimed accounts have
-- no manager to alert.
CREATE OR REPLACE FUNCTION queue_budget_alert(p_account accounts, p_percent int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_account.budget_alerts AND p_account.owner_user_id IS NOT NULL THEN
    INSERT INTO outgoing_emails (kind, account_id, ref)
    VALUES ('limit_alert', p_account.id, p_account.month_start || ':' || p_percent || ':' || p_account.budget_limit_microusd);
    PERFORM pg_notify('gateway', 'money');
  END IF;
END $$;
