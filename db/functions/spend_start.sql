-- From when the spending of a key counts at p_now: earlier calls belong to a period that ended.
CREATE OR REPLACE FUNCTION spend_start(p_since timestamptz, p_period text, p_now timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_since >= date_trunc(p_period, p_now, 'UTC') THEN p_since ELSE p_now END
$$;
