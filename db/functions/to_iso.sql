-- A time as the API writes it: ISO 8601 in UTC, with milliseconds.
CREATE OR REPLACE FUNCTION to_iso(p_at timestamptz) RETURNS text LANGUAGE sql STABLE
RETURN to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
