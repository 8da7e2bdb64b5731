-- Trigger: alerts the managers of an account whose spending crossed 50, 80 or 100 % of its monthly
-- limit, once per threshold; a new month and a new limit re-arm.
CREATE OR REPLACE FUNCTION budget_alert_due() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_percent int;
BEGIN
  UPDATE accounts SET budget_alert_at_microusd = next_budget_alert(NEW.budget_limit_microusd, NEW.month_spent_microusd)
  WHERE id = NEW.id;
  SELECT max(percent) INTO v_percent FROM unnest(ARRAY[50, 80, 100]) AS percent
  WHERE (NEW.budget_limit_microusd * percent + 99) / 100 <= NEW.month_spent_microusd;
  IF v_percent IS NOT NULL THEN
    PERFORM queue_budget_alert(NEW, v_percent);
  END IF;
  IF v_percent = 100 THEN
    PERFORM emit_spending_limit(NEW.id);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER accounts_budget_alert AFTER UPDATE OF month_spent_microusd ON accounts
FOR EACH ROW WHEN (NEW.budget_limit_microusd IS NOT NULL AND NEW.month_spent_microusd > 0
  AND (NEW.month_spent_microusd >= NEW.budget_alert_at_microusd OR OLD.month_start IS DISTINCT FROM NEW.month_start))
EXECUTE FUNCTION budget_alert_due();
