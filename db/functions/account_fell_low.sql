-- Trigger: notifies the processes of money work, and queues the low-balance email and event once
-- when the warning threshold is crossed.
CREATE OR REPLACE FUNCTION account_fell_low() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.warn_below_microusd IS NOT NULL AND NEW.warn_below_microusd IS NULL THEN
    INSERT INTO outgoing_emails (kind, account_id) VALUES ('low_balance', NEW.id);
    PERFORM emit_webhook(NEW.id, 'balance.low', json_build_object(
      'account_id', NEW.id,
      'available_usd', greatest(NEW.balance_microusd - NEW.held_microusd - NEW.debt_microusd, 0) / 1000000.0,
      'threshold_usd', OLD.warn_below_microusd / 1000000.0
    ), NULL);
  END IF;
  PERFORM pg_notify('gateway', 'money');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER accounts_fell_low AFTER UPDATE OF warn_below_microusd, reload_wanted_at ON accounts
FOR EACH ROW WHEN ((OLD.warn_below_microusd IS NOT NULL AND NEW.warn_below_microusd IS NULL)
  OR (OLD.reload_wanted_at IS NULL AND NEW.reload_wanted_at IS NOT NULL))
EXECUTE FUNCTION account_fell_low();
