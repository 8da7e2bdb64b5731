-- What a queued call kept beside its job goes when the job ends, however it does: a sealed key must not outlive its call.
CREATE FUNCTION remove_queued_call_state() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM queued_call_states s WHERE s.call_id = OLD.call_id;
  RETURN NULL;
END $$;--> statement-breakpoint

CREATE TRIGGER jobs_ended_remove_state AFTER UPDATE OF finished_at ON jobs
FOR EACH ROW WHEN (OLD.queued AND OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL)
EXECUTE FUNCTION remove_queued_call_state();--> statement-breakpoint

CREATE TRIGGER jobs_deleted_remove_state AFTER DELETE ON jobs
FOR EACH ROW WHEN (OLD.queued)
EXECUTE FUNCTION remove_queued_call_state();
