-- Creates the partition of a month. False if it exists, or if the default partition has rows of
-- that month, which stay there until retention deletes them. Raises lock_not_available instead of
-- waiting, because calls would wait behind it.
CREATE OR REPLACE FUNCTION create_usage_month(p_month date) RETURNS boolean
LANGUAGE plpgsql SET lock_timeout = '100ms' AS $$
DECLARE
  v_name text := 'usage_records_' || to_char(p_month, 'YYYY_MM');
  v_from timestamptz := date_trunc('month', p_month::timestamp) AT TIME ZONE 'UTC';
  v_to timestamptz := (date_trunc('month', p_month::timestamp) + interval '1 month') AT TIME ZONE 'UTC';
BEGIN
  IF to_regclass(v_name) IS NOT NULL THEN
    RETURN false;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('create_usage_month'));
  IF to_regclass(v_name) IS NOT NULL
    OR EXISTS (SELECT 1 FROM usage_records_default WHERE created_at >= v_from AND created_at < v_to) THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF usage_records FOR VALUES FROM (%L) TO (%L)', v_name, v_from, v_to);
  RETURN true;
END $$;
