-- Whether a call that can cost p_hold exceeds what the owner of an account may spend from a team in
-- this month (UTC).
CREATE OR REPLACE FUNCTION exceeds_member_limit(p_account_id text, p_team_id text, p_hold bigint, p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    SELECT 1 FROM accounts p JOIN memberships m ON m.user_id = p.owner_user_id AND m.account_id = p_team_id
    WHERE p.id = p_account_id
      AND p_hold > m.spend_limit_microusd - spend_in_period(m.spend_microusd, m.spend_since, 'month', p_now)
  );
END $$;
