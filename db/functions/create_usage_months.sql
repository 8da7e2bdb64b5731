-- Creates the partitions from this month to p_ahead months later, as far as possible now. Returns
-- the number created.
CREATE OR REPLACE FUNCTION create_usage_months(p_ahead int) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  v_made int := 0;
BEGIN
  FOR i IN 0 .. p_ahead LOOP
    BEGIN
      IF create_usage_month((date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => i))::date) THEN
        v_made := v_made + 1;
      END IF;
    EXCEPTION WHEN lock_not_available OR check_violation THEN
      -- A call that ended just now has put a row of it into the default partition, or holds the
      -- table: asked for again at every start and every sweep, months before it is needed.
      NULL;
    END;
  END LOOP;
  RETURN v_made;
END $$;
