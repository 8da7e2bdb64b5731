-- Whole seconds from p_now to the end of each rate-limit window; an ended one has its length.
CREATE OR REPLACE FUNCTION window_resets(p_started timestamptz[], p_seconds int[], p_now timestamptz) RETURNS int[]
LANGUAGE sql STABLE AS $$
  SELECT ARRAY[
    CASE WHEN p_started[1] + p_seconds[1] * interval '1 second' > p_now
      THEN ceil(extract(epoch FROM p_started[1] - p_now) + p_seconds[1])::int ELSE p_seconds[1] END,
    CASE WHEN p_started[2] + p_seconds[2] * interval '1 second' > p_now
      THEN ceil(extract(epoch FROM p_started[2] - p_now) + p_seconds[2])::int ELSE p_seconds[2] END,
    CASE WHEN p_started[3] + p_seconds[3] * interval '1 second' > p_now
      THEN ceil(extract(epoch FROM p_started[3] - p_now) + p_seconds[3])::int ELSE p_seconds[3] END
  ]
$$;
