-- promote_calls for one call, of processes of the release before.
CREATE OR REPLACE FUNCTION promote_call(
  p_call text,
  p_job text,
  p_fence text,
  p_rerunnable boolean,
  p_reply json
) RETURNS boolean
LANGUAGE sql AS $$
  SELECT p.promoted FROM promote_calls(json_build_array(json_build_object('id', p_call, 'job_id', p_job,
    'rerunnable', p_rerunnable, 'reply', p_reply::text)), p_fence) AS p;
$$;
