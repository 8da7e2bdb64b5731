-- Queues the email that a team's limit of a member, the owner of p_key, refuses calls: once a month
-- and limit.
CREATE OR REPLACE FUNCTION emit_member_limit(p_key text, p_team text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_ref text;
BEGIN
  SELECT concat_ws(':', m.user_id, (date_trunc('month', clock_timestamp(), 'UTC') AT TIME ZONE 'UTC')::date, m.spend_limit_microusd)
  INTO v_ref
  FROM api_keys k JOIN accounts p ON p.id = k.account_id
    JOIN memberships m ON m.user_id = p.owner_user_id AND m.account_id = p_team
  WHERE k.id = p_key AND m.spend_limit_microusd IS NOT NULL;
  IF FOUND THEN
    PERFORM queue_alert_once('member_blocked', p_team, v_ref);
  END IF;
END $$;
