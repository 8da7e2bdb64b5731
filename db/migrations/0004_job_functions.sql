-- What happens to calls that become jobs, wait in the queue, or were sent with an Idempotency-Key. Locks come in the order
-- of open_calls and close_calls: keys, calls, accounts; then jobs and idempotency keys, which nobody locks before those.
-- Everything that others wait for is told on the channel `gateway`: `call:<id>` when a call has ended or become a job,
-- `log:<id>` when it has new log lines, `cancel:<id>` when it shall stop, `key:<hash>` when a kept answer is there.

-- Milliseconds as usage records have them; a month does not fit, and what is that old must still be ended.
CREATE FUNCTION ms_since(p_at timestamptz) RETURNS int LANGUAGE sql STABLE
RETURN least(extract(epoch FROM clock_timestamp() - p_at) * 1000, 2147483647)::int;--> statement-breakpoint

-- Makes a running call a job; a waiting job is set running. False where the call has ended meanwhile (then its own answer
-- is the answer), or the job has. p_reply is what the request is told now, kept where it was sent with an Idempotency-Key.
CREATE FUNCTION promote_call(
  p_call text,
  p_job text,
  p_fence text,
  p_rerunnable boolean,
  p_reply json
) RETURNS boolean
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_call calls%ROWTYPE;
  v_owner text;
BEGIN
  SELECT c.* INTO v_call FROM calls c WHERE c.id = p_call AND c.fence = p_fence;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- The key's lock first: a claim moves its jobs to another account under it.
  SELECT k.account_id INTO v_owner FROM api_keys k WHERE k.id = v_call.key_id FOR NO KEY UPDATE;
  PERFORM 1 FROM calls c WHERE c.id = p_call AND c.fence = p_fence FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO jobs AS j (id, call_id, account_id, key_id, billing, tool, skill, status, queued, rerunnable, attempts,
    created_at, started_at)
  VALUES (p_job, p_call, v_owner, v_call.key_id, v_call.billing, v_call.tool, v_call.skill, 'running', false,
    p_rerunnable, 1, v_call.created_at, v_call.created_at)
  ON CONFLICT (id) DO UPDATE SET status = 'running', account_id = excluded.account_id, attempts = 1, fence = NULL,
    lease_expires_at = NULL, started_at = v_call.created_at
  WHERE j.finished_at IS NULL;
  IF NOT FOUND THEN
    -- It waited for a slot, and was given up for lost meanwhile.
    RETURN false;
  END IF;
  IF p_reply IS NOT NULL THEN
    UPDATE idempotency_keys i SET status = 202, reply = p_reply, finished_at = clock_timestamp()
    WHERE i.call_id = p_call AND i.finished_at IS NULL;
    PERFORM pg_notify('gateway', 'call:' || p_call);
  END IF;
  RETURN true;
END $$;--> statement-breakpoint

-- Opens a call that a worker shall run: hold, slot and window as for any other, and with them the job and its place in the
-- queue. Its lease is the longest it may wait there; nobody renews it before a worker has taken it.
CREATE FUNCTION open_queued_call(
  p_key text,
  p_account text,
  p_id text,
  p_job text,
  p_billing text,
  p_tool text,
  p_skill text,
  p_hold bigint,
  p_input json,
  p_rerunnable boolean,
  p_wait_seconds int,
  p_minute_quota int,
  p_hour_quota int,
  p_slots int
) RETURNS TABLE (outcome text, available bigint, minute_used int, minute_reset int, hour_used int, hour_reset int)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  SELECT o.* INTO outcome, available, minute_used, minute_reset, hour_used, hour_reset
  FROM open_calls(ARRAY[p_key], ARRAY[p_account], ARRAY[p_hold > 0], ARRAY[p_id], ARRAY[1], ARRAY[1], ARRAY[p_billing],
    ARRAY[p_tool], ARRAY[p_skill], ARRAY[p_hold], 'queue', p_wait_seconds, p_minute_quota, p_hour_quota, p_slots) o;
  IF outcome = 'opened' THEN
    INSERT INTO jobs AS j (id, call_id, account_id, key_id, billing, tool, skill, status, queued, rerunnable, input, created_at)
    SELECT p_job, p_id, k.account_id, p_key, p_billing, p_tool, p_skill, 'pending', true, p_rerunnable, p_input, c.created_at
    FROM calls c JOIN api_keys k ON k.id = c.key_id WHERE c.id = p_id
    -- It waited for a slot as a job already.
    ON CONFLICT (id) DO UPDATE SET queued = true, account_id = excluded.account_id, rerunnable = excluded.rerunnable,
      input = excluded.input, fence = NULL, lease_expires_at = NULL
    WHERE j.finished_at IS NULL;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the job % has ended', p_job USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    PERFORM graphile_worker.add_job('run_call', json_build_object('callId', p_id), job_key := p_id);
  END IF;
  RETURN NEXT;
END $$;--> statement-breakpoint

-- A worker takes a queued call: from now on it is its own to end. No row where it was taken, cancelled or given up.
CREATE FUNCTION start_queued_call(p_call text, p_fence text, p_lease_seconds int)
RETURNS TABLE (job_id text, key_id text, account_id text, billing text, tool text, skill text, input json, hold bigint,
  attempts int, last_seq int)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  UPDATE calls c SET fence = p_fence, lease_expires_at = clock_timestamp() + make_interval(secs => p_lease_seconds)
  WHERE c.id = p_call AND c.fence = 'queue' AND c.lease_expires_at > clock_timestamp();
  IF NOT FOUND THEN
    RETURN;
  END IF;
  RETURN QUERY
    UPDATE jobs j SET status = 'running', attempts = j.attempts + 1, started_at = coalesce(j.started_at, clock_timestamp())
    FROM calls c WHERE c.id = p_call AND j.call_id = p_call
    RETURNING j.id, c.key_id, c.account_id, c.billing, c.tool, c.skill, j.input, c.hold_microusd, j.attempts,
      coalesce((SELECT max(l.seq) FROM job_logs l WHERE l.job_id = j.id), 0);
END $$;--> statement-breakpoint

-- Gives a queued call back to the queue: its worker stops, or was lost. p_fence: only the worker's own; NULL only one
-- whose lease has run out.
CREATE FUNCTION requeue_call(p_call text, p_fence text, p_wait_seconds int, p_line text) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE calls c SET fence = 'queue', lease_expires_at = clock_timestamp() + make_interval(secs => p_wait_seconds)
  WHERE c.id = p_call AND c.fence <> 'queue'
    AND (c.fence = p_fence OR (p_fence IS NULL AND c.lease_expires_at < clock_timestamp()));
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO job_logs (job_id, seq, message, at)
  SELECT j.id, coalesce((SELECT max(l.seq) FROM job_logs l WHERE l.job_id = j.id), 0) + 1, p_line, clock_timestamp()
  FROM jobs j WHERE j.call_id = p_call;
  PERFORM graphile_worker.add_job('run_call', json_build_object('callId', p_call), job_key := p_call);
  RETURN true;
END $$;--> statement-breakpoint

-- close_calls for calls that may be jobs or have an Idempotency-Key: with the settlement, in one transaction, the job ends
-- and the answer is kept. p_results: the ToolCallResult of a success, the Error body of a failure.
CREATE FUNCTION finish_calls(
  p_ids text[],
  p_key_ids text[],
  p_success boolean[],
  p_markup bigint[],
  p_raw bigint[],
  p_byok boolean[],
  p_error_codes text[],
  p_latency_ms int[],
  p_errors text[],
  p_results text[],
  p_fence text
) RETURNS TABLE (id text, state text, available bigint)
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_row record;
  v_closed text[] := '{}';
  v_available bigint[] := '{}';
BEGIN
  FOR v_row IN SELECT c.* FROM close_calls(p_ids, p_key_ids, p_success, p_markup, p_raw, p_byok, p_error_codes, p_latency_ms,
    p_fence) c
  LOOP
    id := v_row.id;
    state := v_row.state;
    available := v_row.available;
    RETURN NEXT;
    IF v_row.state = 'closed' THEN
      v_closed := v_closed || v_row.id;
      v_available := v_available || v_row.available;
    END IF;
  END LOOP;
  -- Asked first: the update looks into every month.
  IF EXISTS (SELECT 1 FROM jobs j WHERE j.call_id = ANY (v_closed)) THEN
    UPDATE usage_records u SET job_id = j.id FROM jobs j
    WHERE j.call_id = ANY (v_closed) AND u.key_id = j.key_id AND u.id = j.call_id;
  END IF;
  UPDATE jobs j SET
    status = CASE WHEN e.success THEN 'completed' ELSE 'failed' END,
    result = CASE WHEN e.success THEN e.result::json END,
    available_microusd = d.available,
    error = e.error,
    error_code = e.error_code,
    progress = CASE WHEN e.success THEN 1 ELSE j.progress END,
    input = NULL,
    fence = NULL,
    lease_expires_at = NULL,
    finished_at = clock_timestamp()
  FROM unnest(v_closed, v_available) AS d(id, available)
    JOIN unnest(p_ids, p_success, p_error_codes, p_errors, p_results) AS e(id, success, error_code, error, result) ON e.id = d.id
  WHERE j.call_id = d.id AND j.finished_at IS NULL;
  UPDATE idempotency_keys i SET
    status = CASE WHEN e.success THEN 200 ELSE 502 END,
    reply = e.result::json,
    available_microusd = d.available,
    finished_at = clock_timestamp()
  FROM unnest(v_closed, v_available) AS d(id, available)
    JOIN unnest(p_ids, p_success, p_results) AS e(id, success, result) ON e.id = d.id
  WHERE i.call_id = d.id AND i.finished_at IS NULL;
  PERFORM pg_notify('gateway', 'call:' || c) FROM unnest(v_closed) AS c;
END $$;--> statement-breakpoint

-- Cancels a running job of this account: the call is closed for nothing, and whoever runs it is told to stop. Wins or
-- loses against the end of the call exactly once: whoever removes the row in calls. False where it was not running.
CREATE FUNCTION cancel_job(p_job text, p_account text, p_line text, p_reply json) RETURNS boolean
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_job jobs%ROWTYPE;
  v_call calls%ROWTYPE;
  v_state text;
BEGIN
  SELECT j.* INTO v_job FROM jobs j WHERE j.id = p_job AND j.account_id = p_account;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM 1 FROM api_keys k WHERE k.id = v_job.key_id FOR NO KEY UPDATE;
  SELECT c.* INTO v_call FROM calls c WHERE c.id = v_job.call_id FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- Read again under the locks: a worker may have taken it since.
  SELECT j.* INTO v_job FROM jobs j WHERE j.id = p_job AND j.account_id = p_account;
  IF NOT FOUND OR v_job.status <> 'running' THEN
    RETURN false;
  END IF;
  SELECT c.state INTO v_state FROM close_calls(ARRAY[v_call.id], ARRAY[v_call.key_id], ARRAY[false], ARRAY[0::bigint],
    ARRAY[0::bigint], ARRAY[false], ARRAY['CANCELLED'],
    ARRAY[ms_since(v_call.created_at)], v_call.fence) c;
  IF v_state IS DISTINCT FROM 'closed' THEN
    RETURN false;
  END IF;
  UPDATE usage_records u SET job_id = p_job WHERE u.key_id = v_job.key_id AND u.id = v_job.call_id;
  UPDATE jobs j SET status = 'cancelled', error = p_line, error_code = 'CANCELLED', input = NULL,
    finished_at = clock_timestamp()
  WHERE j.id = p_job;
  -- A stream that was sent with an Idempotency-Key has not answered yet: this is its answer.
  UPDATE idempotency_keys i SET status = 502, reply = p_reply, finished_at = clock_timestamp()
  WHERE i.call_id = v_job.call_id AND i.finished_at IS NULL;
  PERFORM pg_notify('gateway', 'cancel:' || v_job.call_id);
  PERFORM pg_notify('gateway', 'call:' || v_job.call_id);
  RETURN true;
END $$;--> statement-breakpoint

-- Ends what processes left behind whose leases have run out: a queued call whose skill is idempotent goes back to the
-- queue, any other is closed for nothing, its slot and hold are free, its job has failed with a reason. Its
-- Idempotency-Key may be used again where the skill is idempotent; otherwise the failure is its answer.
CREATE FUNCTION reap_calls(p_limit int, p_max_attempts int, p_wait_seconds int, p_error text, p_line text, p_reply json,
  p_queue_seconds int)
RETURNS TABLE (id text, outcome text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_row record;
  v_due text[];
  v_ids text[] := '{}';
  v_keys text[] := '{}';
  v_ms int[] := '{}';
  v_closed text[];
  v_n int;
BEGIN
  -- Keys before calls, as whoever cancels or ends one of these meanwhile: requeue_call locks calls without their keys.
  v_due := ARRAY(SELECT c.id FROM calls c WHERE c.lease_expires_at < clock_timestamp() ORDER BY c.lease_expires_at
    LIMIT p_limit);
  PERFORM 1 FROM api_keys k WHERE k.id IN (SELECT c.key_id FROM calls c WHERE c.id = ANY (v_due))
    ORDER BY k.id FOR NO KEY UPDATE;
  FOR v_row IN
    SELECT c.id, c.key_id, c.fence, ms_since(c.created_at) AS ms,
      coalesce(j.queued AND j.rerunnable AND j.attempts < p_max_attempts AND c.fence <> 'queue', false) AS again
    FROM calls c LEFT JOIN jobs j ON j.call_id = c.id
    WHERE c.id = ANY (v_due) AND c.lease_expires_at < clock_timestamp() ORDER BY c.lease_expires_at
  LOOP
    IF v_row.again THEN
      IF requeue_call(v_row.id, NULL, p_wait_seconds, p_line) THEN
        id := v_row.id;
        outcome := 'requeued';
        RETURN NEXT;
      END IF;
    ELSE
      v_ids := v_ids || v_row.id;
      v_keys := v_keys || v_row.key_id;
      v_ms := v_ms || v_row.ms;
    END IF;
  END LOOP;

  v_n := cardinality(v_ids);
  IF v_n > 0 THEN
    SELECT coalesce(array_agg(c.id), '{}') INTO v_closed FROM close_calls(v_ids, v_keys, array_fill(false, ARRAY[v_n]),
      array_fill(0::bigint, ARRAY[v_n]), array_fill(0::bigint, ARRAY[v_n]), array_fill(false, ARRAY[v_n]),
      array_fill('HANDLER_ERROR'::text, ARRAY[v_n]), v_ms, NULL) c WHERE c.state = 'closed';
    UPDATE usage_records u SET job_id = j.id FROM jobs j
    WHERE j.call_id = ANY (v_closed) AND u.key_id = j.key_id AND u.id = j.call_id;
    DELETE FROM idempotency_keys i WHERE i.call_id = ANY (v_closed) AND i.finished_at IS NULL AND i.rerunnable;
    UPDATE idempotency_keys i SET status = 502, reply = p_reply, finished_at = clock_timestamp()
    WHERE i.call_id = ANY (v_closed) AND i.finished_at IS NULL;
    UPDATE jobs j SET status = 'failed', error_code = 'HANDLER_ERROR', input = NULL, fence = NULL,
      error = CASE WHEN j.queued AND j.attempts = 0 THEN 'No worker took the call in time.' ELSE p_error END,
      lease_expires_at = NULL, finished_at = clock_timestamp()
    WHERE j.call_id = ANY (v_closed) AND j.finished_at IS NULL;
    PERFORM pg_notify('gateway', 'call:' || c) FROM unnest(v_closed) AS c;
    RETURN QUERY SELECT c, 'failed' FROM unnest(v_closed) AS c;
  END IF;

  -- Out of the queue, but never taken: its worker died in between. Back in, where another finds it; taken it is once.
  FOR v_row IN
    SELECT c.id FROM calls c
    WHERE c.fence = 'queue' AND c.created_at < clock_timestamp() - make_interval(secs => p_queue_seconds)
      AND NOT EXISTS (
        SELECT 1 FROM graphile_worker.jobs g WHERE g.key = c.id
          AND coalesce(g.locked_at > clock_timestamp() - make_interval(secs => p_queue_seconds), true)
      )
    ORDER BY c.created_at LIMIT p_limit
  LOOP
    PERFORM graphile_worker.add_job('run_call', json_build_object('callId', v_row.id), job_key := v_row.id);
    id := v_row.id;
    outcome := 'requeued';
    RETURN NEXT;
  END LOOP;

  -- Jobs that waited for a slot in a process that is gone: no call of theirs was ever opened.
  RETURN QUERY
    WITH lost AS (
      UPDATE jobs j SET status = 'failed', error = p_error, error_code = 'HANDLER_ERROR', fence = NULL,
        lease_expires_at = NULL, finished_at = clock_timestamp()
      WHERE j.fence IS NOT NULL AND j.lease_expires_at < clock_timestamp() AND j.finished_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM calls c WHERE c.id = j.call_id)
      RETURNING j.call_id
    )
    SELECT l.call_id, 'failed' FROM lost l, LATERAL pg_notify('gateway', 'call:' || l.call_id);
END $$;--> statement-breakpoint

-- Takes an Idempotency-Key for a request, or says why not: `replay` with the kept answer, `running` elsewhere, `mismatch`
-- with another body. What a dead process left unfinished, and no call speaks for, is taken over.
CREATE FUNCTION claim_idempotency_key(
  p_account text,
  p_key text,
  p_part smallint,
  p_fingerprint bytea,
  p_call text,
  p_rerunnable boolean,
  p_fence text,
  p_lease_seconds int,
  p_lifetime_hours int
) RETURNS TABLE (outcome text, status int, reply json, available bigint, call_id text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  v_row idempotency_keys%ROWTYPE;
  v_lease timestamptz := clock_timestamp() + make_interval(secs => p_lease_seconds);
  v_dead boolean;
BEGIN
  LOOP
    INSERT INTO idempotency_keys (account_id, key, part, fingerprint, call_id, rerunnable, fence, lease_expires_at, created_at)
    VALUES (p_account, p_key, p_part, p_fingerprint, p_call, p_rerunnable, p_fence, v_lease, clock_timestamp())
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
      outcome := 'claimed';
      RETURN NEXT;
      RETURN;
    END IF;
    SELECT i.* INTO v_row FROM idempotency_keys i
    WHERE i.account_id = p_account AND i.key = p_key AND i.part = p_part FOR UPDATE;
    -- Released between the two statements: the next turn takes it.
    CONTINUE WHEN NOT FOUND;
    v_dead := v_row.finished_at IS NULL AND v_row.lease_expires_at < clock_timestamp()
      AND NOT EXISTS (SELECT 1 FROM calls c WHERE c.id = v_row.call_id)
      AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.call_id = v_row.call_id AND j.finished_at IS NULL);
    IF (v_row.finished_at IS NOT NULL OR v_dead)
      AND coalesce(v_row.finished_at, v_row.lease_expires_at) < clock_timestamp() - make_interval(hours => p_lifetime_hours)
    THEN
      -- A batch is forgotten with its elements: theirs may have been written later.
      DELETE FROM idempotency_keys i WHERE i.account_id = p_account AND i.key = p_key AND (i.part = p_part OR p_part = 0);
      CONTINUE;
    END IF;
    status := v_row.status;
    reply := v_row.reply;
    available := v_row.available_microusd;
    call_id := v_row.call_id;
    IF v_row.fingerprint <> p_fingerprint THEN
      outcome := 'mismatch';
    ELSIF v_row.finished_at IS NOT NULL THEN
      outcome := 'replay';
    ELSIF v_dead THEN
      UPDATE idempotency_keys i SET call_id = p_call, rerunnable = p_rerunnable, fence = p_fence, lease_expires_at = v_lease
      WHERE i.account_id = p_account AND i.key = p_key AND i.part = p_part;
      outcome := 'claimed';
    ELSE
      outcome := 'running';
    END IF;
    RETURN NEXT;
    RETURN;
  END LOOP;
END $$;
