-- Writes an event for each endpoint of the account that wants its type; events of a team go to the
-- endpoints of its owner. p_dedupe: what has this event only once; null for events without it.
CREATE OR REPLACE FUNCTION emit_webhook(p_account text, p_type text, p_data json, p_dedupe text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_event text;
  v_row record;
BEGIN
  FOR v_row IN
    SELECT e.id, e.account_id FROM webhook_endpoints e
    WHERE e.account_id IN (
        SELECT p_account
        UNION SELECT p.id FROM accounts t JOIN accounts p ON p.owner_user_id = t.owner_user_id AND p.type = 'personal'
          WHERE t.id = p_account AND t.type = 'team'
      ) AND e.disabled_at IS NULL AND p_type = ANY (e.events)
    ORDER BY e.id
  LOOP
    v_event := coalesce(v_event, CASE WHEN p_dedupe IS NULL THEN new_id('msg')
      ELSE 'msg_' || left(encode(sha256(convert_to(p_account || ' ' || p_type || ' ' || p_dedupe, 'UTF8')), 'hex'), 26) END);
    PERFORM enqueue_webhook(v_row.account_id, v_row.id, NULL, v_event, p_type, p_data);
  END LOOP;
END $$;
