-- The calls in each rate-limit window of a key with more calls at p_now. An ended window starts
-- again, empty; a window that does not exist is null.
CREATE OR REPLACE FUNCTION window_use(p_started timestamptz[], p_used int[], p_seconds int[], p_calls int, p_now timestamptz)
RETURNS int[]
LANGUAGE sql STABLE AS $$
  SELECT ARRAY[
    CASE WHEN p_started[1] + p_seconds[1] * interval '1 second' > p_now THEN p_used[1] WHEN p_seconds[1] > 0 THEN 0 END + p_calls,
    CASE WHEN p_started[2] + p_seconds[2] * interval '1 second' > p_now THEN p_used[2] WHEN p_seconds[2] > 0 THEN 0 END + p_calls,
    CASE WHEN p_started[3] + p_seconds[3] * interval '1 second' > p_now THEN p_used[3] WHEN p_seconds[3] > 0 THEN 0 END + p_calls
  ]
$$;
