-- An id as newId (server/kit/ids.ts) creates it: the prefix, ten characters of time, sixteen random
-- ones, in Crockford base 32.
CREATE OR REPLACE FUNCTION new_id(p_prefix text) RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT p_prefix || '_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', c.digit + 1, 1), '' ORDER BY c.place)
  FROM (
    SELECT i AS place, ((extract(epoch FROM clock_timestamp()) * 1000)::bigint >> (5 * (9 - i)) & 31)::int AS digit
    FROM generate_series(0, 9) AS i
    UNION ALL
    SELECT 10 + i, get_byte(r.bytes, i) & 31
    FROM generate_series(0, 15) AS i, (SELECT uuid_send(gen_random_uuid()) AS bytes) r
  ) c
$$;
