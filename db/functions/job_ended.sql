-- Trigger: writes the event of a job that ended, however it ended, for the endpoints of its account
-- and the `webhook` of its call.
CREATE OR REPLACE FUNCTION job_ended() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_type text := 'job.' || NEW.status;
  v_data json;
BEGIN
  v_data := json_build_object('job_id', NEW.id, 'status', NEW.status, 'tool', NEW.tool, 'skill', NEW.skill,
    'key_id', NEW.key_id, 'billing', NEW.billing, 'error', NEW.error, 'error_code', NEW.error_code,
    'created_at', to_iso(NEW.created_at), 'finished_at', to_iso(NEW.finished_at));
  PERFORM emit_webhook(NEW.account_id, v_type, v_data, NEW.id);
  IF NEW.webhook_url IS NOT NULL THEN
    PERFORM enqueue_webhook(NEW.account_id, NEW.key_id, NEW.webhook_url, new_id('msg'), v_type, v_data);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER jobs_ended AFTER UPDATE OF finished_at ON jobs
FOR EACH ROW WHEN (OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL)
EXECUTE FUNCTION job_ended();
