-- The spending at which the next alert of a monthly limit is due; null if none is left.
CREATE OR REPLACE FUNCTION next_budget_alert(p_limit bigint, p_spent bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT min((p_limit * percent + 99) / 100) FROM unnest(ARRAY[50, 80, 100]) AS percent
  WHERE (p_limit * percent + 99) / 100 > p_spent
$$;
