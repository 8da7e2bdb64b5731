-- Trigger: deletes the state of a queued call when its job ends, because an encrypted provider key
-- must not outlive its call.
CREATE OR REPLACE FUNCTION remove_queued_call_state() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM queued_call_states s WHERE s.call_id = OLD.call_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER jobs_ended_remove_state AFTER UPDATE OF finished_at ON jobs
FOR EACH ROW WHEN (OLD.queued AND OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL)
EXECUTE FUNCTION remove_queued_call_state();
CREATE OR REPLACE TRIGGER jobs_deleted_remove_state AFTER DELETE ON jobs
FOR EACH ROW WHEN (OLD.queued)
EXECUTE FUNCTION remove_queued_call_state();
