-- The key with its rate-limit windows as of p_now: an ended window starts again, empty. p_seconds
-- are the lengths.
CREATE OR REPLACE FUNCTION roll_windows(p_key api_keys, p_seconds int[], p_now timestamptz) RETURNS api_keys
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  FOR i IN 1 .. cardinality(p_seconds) LOOP
    IF p_key.window_started_at[i] IS NULL OR p_now >= p_key.window_started_at[i] + make_interval(secs => p_seconds[i]) THEN
      p_key.window_started_at[i] := p_now;
      p_key.window_used[i] := 0;
    END IF;
  END LOOP;
  RETURN p_key;
END $$;
