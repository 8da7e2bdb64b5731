-- Trigger: writes the event of a job that has ended. Jobs that are inserted as ended write theirs
-- themselves: a restored backup must not.
CREATE OR REPLACE FUNCTION job_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM emit_job_ended(NEW);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER jobs_ended AFTER UPDATE OF finished_at ON jobs
FOR EACH ROW WHEN (OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL)
EXECUTE FUNCTION job_ended();
