-- Writes the event of a job that ended, however it ended, for the endpoints of its account and the
-- `webhook` of its call.
CREATE OR REPLACE FUNCTION emit_job_ended(p_job jobs) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_type text := 'job.' || p_job.status;
  v_data json;
BEGIN
  v_data := json_build_object('job_id', p_job.id, 'status', p_job.status, 'tool', p_job.tool, 'skill', p_job.skill,
    'key_id', p_job.key_id, 'billing', p_job.billing, 'error', p_job.error, 'error_code', p_job.error_code,
    'created_at', to_iso(p_job.created_at), 'finished_at', to_iso(p_job.finished_at));
  PERFORM emit_webhook(p_job.account_id, v_type, v_data, p_job.id);
  IF p_job.webhook_url IS NOT NULL THEN
    PERFORM enqueue_webhook(p_job.account_id, p_job.key_id, p_job.webhook_url, new_id('msg'), v_type, v_data);
  END IF;
END $$;
