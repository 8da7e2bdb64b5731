-- Trigger: deletes the state of a queued call when its job ends, because an encrypted provider key
-- must not outlive its call.
CREATE OR REPLACE FUNCTION remove_queued_call_state() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM queued_call_states s WHERE s.call_id = OLD.call_id;
  RETURN NULL;
END $$;
