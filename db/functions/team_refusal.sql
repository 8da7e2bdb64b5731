-- Why a key of an account may not charge a team; null: it may. The owner of a frozen account spends
-- nothing, of a team neither. A key of a team charges no other account.
CREATE OR REPLACE FUNCTION team_refusal(p_account_id text, p_team_id text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_owner accounts;
BEGIN
  SELECT a.* INTO v_owner FROM accounts a WHERE a.id = p_account_id;
  IF v_owner.frozen_at IS NOT NULL THEN
    RETURN 'frozen';
  END IF;
  IF v_owner.type = 'team' OR NOT EXISTS (
    SELECT 1 FROM memberships m WHERE m.user_id = v_owner.owner_user_id AND m.account_id = p_team_id
  ) THEN
    RETURN 'forbidden';
  END IF;
  RETURN NULL;
END $$;
