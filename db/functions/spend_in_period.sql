-- What a key has spent or holds in the calendar period (UTC) of p_now; weeks begin on Monday.
CREATE OR REPLACE FUNCTION spend_in_period(p_spend bigint, p_since timestamptz, p_period text, p_now timestamptz) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_since >= date_trunc(p_period, p_now, 'UTC') THEN p_spend ELSE 0 END
$$;
