-- Returns how a call ended that is no longer running. A separate function, planned and run only
-- when needed: inside end_calls this look-up would lock and open every partition on every flush.
CREATE OR REPLACE FUNCTION ended_before(p_key text, p_id text) RETURNS TABLE (state text, available bigint)
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY
    SELECT r.status, (SELECT a.balance_microusd - a.held_microusd FROM accounts a WHERE a.id = r.account_id)
    FROM usage_records r WHERE r.key_id = p_key AND r.id = p_id;
END $$;
