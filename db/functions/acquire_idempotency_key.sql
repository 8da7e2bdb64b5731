-- Acquires an idempotency record for a request, or returns `replay` with the stored response,
-- `running`, or `mismatch` for a different request. Takes over an expired record without an open
-- call.
CREATE OR REPLACE FUNCTION acquire_idempotency_key(
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
      outcome := 'acquired';
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
      outcome := 'acquired';
    ELSE
      outcome := 'running';
    END IF;
    RETURN NEXT;
    RETURN;
  END LOOP;
END $$;
