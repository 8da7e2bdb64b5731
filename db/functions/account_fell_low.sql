-- Trigger: notifies the processes of money work, and queues the low-balance email once when the
-- warning threshold is crossed.
CREATE OR REPLACE FUNCTION account_fell_low() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.warn_below_microusd IS NOT NULL AND NEW.warn_below_microusd IS NULL THEN
    INSERT INTO outgoing_mails (kind, account_id) VALUES ('low_balance', NEW.id);
  END IF;
  PERFORM pg_notify('gateway', 'money');
  RETURN NULL;
END $$;
