-- The cause of an email that a limit of a key refuses calls: the key, period, its start and the
-- limit. p_total: of the credit limit, else of the spending limit; null without it.
CREATE OR REPLACE FUNCTION key_alert_ref(p_key api_keys, p_total boolean) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_total THEN p_key.id || ':total::' || p_key.credits_microusd
    ELSE p_key.id || ':' || p_key.spend_period || ':'
      || (date_trunc(p_key.spend_period, clock_timestamp(), 'UTC') AT TIME ZONE 'UTC')::date || ':' || p_key.spend_limit_microusd
  END
$$;
