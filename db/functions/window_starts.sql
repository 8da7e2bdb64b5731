-- When each rate-limit window of a key began, as of p_now: an ended window begins again. A window
-- that does not exist is null, so that it begins with its first call once it is added.
CREATE OR REPLACE FUNCTION window_starts(p_started timestamptz[], p_seconds int[], p_now timestamptz) RETURNS timestamptz[]
LANGUAGE sql STABLE AS $$
  SELECT ARRAY[
    CASE WHEN p_started[1] + p_seconds[1] * interval '1 second' > p_now THEN p_started[1] WHEN p_seconds[1] > 0 THEN p_now END,
    CASE WHEN p_started[2] + p_seconds[2] * interval '1 second' > p_now THEN p_started[2] WHEN p_seconds[2] > 0 THEN p_now END,
    CASE WHEN p_started[3] + p_seconds[3] * interval '1 second' > p_now THEN p_started[3] WHEN p_seconds[3] > 0 THEN p_now END
  ]
$$;
