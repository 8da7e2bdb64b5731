-- Milliseconds as usage records have them; a month does not fit, and what is that old must still be ended.
CREATE OR REPLACE FUNCTION ms_since(p_at timestamptz) RETURNS int LANGUAGE sql STABLE
RETURN least(extract(epoch FROM clock_timestamp() - p_at) * 1000, 2147483647)::int;
