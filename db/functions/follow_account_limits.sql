-- Trigger of api_keys: a new key, or one that a claim moves, gets the limits of its account. Waits
-- for a change of these limits that is under way, which does not reach the key.
CREATE OR REPLACE FUNCTION follow_account_limits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT a.call_quotas, a.concurrent_calls INTO NEW.account_quotas, NEW.account_concurrency
  FROM accounts a WHERE a.id = NEW.account_id FOR SHARE;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER api_keys_follow_account BEFORE INSERT OR UPDATE OF account_id ON api_keys
FOR EACH ROW EXECUTE FUNCTION follow_account_limits();
