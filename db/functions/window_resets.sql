-- Whole seconds from p_now to the end of each window of a key.
CREATE OR REPLACE FUNCTION window_resets(p_key api_keys, p_seconds int[], p_now timestamptz) RETURNS int[]
LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  v_resets int[] := p_seconds;
BEGIN
  FOR i IN 1 .. cardinality(p_seconds) LOOP
    v_resets[i] := ceil(extract(epoch FROM p_key.window_started_at[i] - p_now) + p_seconds[i]);
  END LOOP;
  RETURN v_resets;
END $$;
