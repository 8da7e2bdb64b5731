-- Drops the partition of a month, and records from when on usage records are complete. Raises
-- lock_not_available if it would wait longer than a moment, because new calls wait behind it.
CREATE OR REPLACE FUNCTION drop_usage_month(p_month date) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '100ms' AS $$
BEGIN
  INSERT INTO retention_marks AS m (what, kept_from)
  VALUES ('usage_records', (date_trunc('month', p_month::timestamp) + interval '1 month') AT TIME ZONE 'UTC')
  ON CONFLICT (what) DO UPDATE SET kept_from = greatest(m.kept_from, excluded.kept_from);
  EXECUTE format('DROP TABLE %I', 'usage_records_' || to_char(p_month, 'YYYY_MM'));
END $$;
