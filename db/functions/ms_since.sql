-- Elapsed milliseconds for usage records, capped at the integer maximum (about 25 days).
CREATE OR REPLACE FUNCTION ms_since(p_at timestamptz) RETURNS int LANGUAGE sql STABLE
RETURN least(extract(epoch FROM clock_timestamp() - p_at) * 1000, 2147483647)::int;
