-- The place of the first rate-limit window that has no room for more calls; null: all have. A
-- window that has ended has room for its limit. It is inlined like the other functions of windows,
-- so it has a line per window: three at most.
CREATE OR REPLACE FUNCTION exceeded_window(
  p_started timestamptz[],
  p_used int[],
  p_seconds int[],
  p_quotas int[],
  p_account int[], -- those of the key's account instead; null, or null for a window: p_quotas
  p_limits int[], -- lower ones of the key; null: none
  p_calls int,
  p_now timestamptz
) RETURNS int
LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN CASE WHEN p_started[1] + p_seconds[1] * interval '1 second' > p_now THEN p_used[1] ELSE 0 END + p_calls > least(coalesce(p_account[1], p_quotas[1]), p_limits[1]) THEN 1
    WHEN CASE WHEN p_started[2] + p_seconds[2] * interval '1 second' > p_now THEN p_used[2] ELSE 0 END + p_calls > least(coalesce(p_account[2], p_quotas[2]), p_limits[2]) THEN 2
    WHEN CASE WHEN p_started[3] + p_seconds[3] * interval '1 second' > p_now THEN p_used[3] ELSE 0 END + p_calls > least(coalesce(p_account[3], p_quotas[3]), p_limits[3]) THEN 3
  END
$$;
