-- small: api_keys a few for each account
-- contract: settle_calls no release has used it
ALTER TABLE "api_keys" ADD COLUMN "window_started_at" timestamp with time zone[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "window_used" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE api_keys SET window_started_at = ARRAY[minute_started_at, hour_started_at], window_used = ARRAY[minute_used, hour_used]
WHERE hour_started_at IS NOT NULL;--> statement-breakpoint
-- A call that ended, as record_calls takes it.
CREATE TYPE recorded_call AS (
  id text,
  key_id text,
  account_id text,
  billing text,
  tool text,
  skill text,
  success boolean,
  raw_microusd bigint,
  markup_microusd bigint,
  hold_microusd bigint,
  byok boolean,
  error_code text,
  latency_ms int,
  created_at timestamptz
);--> statement-breakpoint
DROP FUNCTION settle_calls;--> statement-breakpoint
-- Admits a call and enqueues it for a worker, with its job. Its lease is the longest time in the
-- queue: no process renews it before a worker has leased the call.
CREATE OR REPLACE FUNCTION admit_queued_call(
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
  p_window_seconds int[],
  p_quotas int[],
  p_slots int
) RETURNS TABLE (outcome text, available bigint, window_used int[], window_resets int[])
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  SELECT o.* INTO outcome, available, window_used, window_resets
  FROM admit_calls(ARRAY[p_key], ARRAY[p_account], ARRAY[p_hold > 0], ARRAY[p_id], ARRAY[1], ARRAY[1], ARRAY[p_billing],
    ARRAY[p_tool], ARRAY[p_skill], ARRAY[p_hold], 'queue', p_wait_seconds, p_window_seconds, p_quotas, p_slots) o;
  IF outcome = 'opened' THEN
    INSERT INTO jobs AS j (id, call_id, account_id, key_id, billing, tool, skill, status, queued, rerunnable, input, created_at)
    SELECT p_job, p_id, k.account_id, p_key, p_billing, p_tool, p_skill, 'pending', true, p_rerunnable, p_input, c.created_at
    FROM calls c JOIN api_keys k ON k.id = c.key_id WHERE c.id = p_id
    -- The job exists already where the call waited for a concurrency slot.
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
-- Closes a group of calls, then admits another, in one transaction: an ending and a beginning call
-- share a commit. All locks are taken first, keys before accounts, each in id order, so that two of
-- these statements cannot deadlock.
CREATE OR REPLACE FUNCTION close_and_admit_calls(
  p_close_ids text[],
  p_close_key_ids text[],
  p_success boolean[],
  p_markup bigint[],
  p_raw bigint[],
  p_byok boolean[],
  p_error_codes text[],
  p_latency_ms int[],
  p_keys text[],
  p_accounts text[],
  p_account_paid boolean[],
  p_ids text[],
  p_key_at int[],
  p_account_at int[],
  p_billing text[],
  p_tools text[],
  p_skills text[],
  p_holds bigint[],
  p_fence text,
  p_lease_seconds int,
  p_window_seconds int[],
  p_quotas int[],
  p_slots int
) RETURNS TABLE (closed_id text, state text, available bigint, window_used int[], window_resets int[])
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM 1 FROM api_keys k WHERE k.id = ANY (p_keys || p_close_key_ids) ORDER BY k.id FOR NO KEY UPDATE;
  PERFORM 1 FROM accounts a WHERE a.id IN (
    SELECT u.id FROM unnest(p_accounts, p_account_paid) AS u(id, paid) WHERE u.paid
    UNION SELECT c.account_id FROM calls c WHERE c.id = ANY (p_close_ids) AND c.hold_microusd > 0
  ) ORDER BY a.id FOR NO KEY UPDATE;
  RETURN QUERY SELECT c.id, c.state, c.available, NULL::int[], NULL::int[]
    FROM close_calls(p_close_ids, p_close_key_ids, p_success, p_markup, p_raw, p_byok, p_error_codes, p_latency_ms, p_fence) c;
  -- A second statement, so that it sees the rows that the first one wrote.
  RETURN QUERY SELECT NULL::text, o.outcome, o.available, o.window_used, o.window_resets
    FROM admit_calls(p_keys, p_accounts, p_account_paid, p_ids, p_key_at, p_account_at, p_billing, p_tools, p_skills,
      p_holds, p_fence, p_lease_seconds, p_window_seconds, p_quotas, p_slots) o;
END $$;--> statement-breakpoint
-- For the release before close_and_admit_calls, which still runs during an upgrade.
CREATE OR REPLACE FUNCTION exchange_calls(
  p_close_ids text[],
  p_close_key_ids text[],
  p_success boolean[],
  p_markup bigint[],
  p_raw bigint[],
  p_byok boolean[],
  p_error_codes text[],
  p_latency_ms int[],
  p_keys text[],
  p_accounts text[],
  p_account_paid boolean[],
  p_ids text[],
  p_key_at int[],
  p_account_at int[],
  p_billing text[],
  p_tools text[],
  p_skills text[],
  p_holds bigint[],
  p_fence text,
  p_lease_seconds int,
  p_minute_quota int,
  p_hour_quota int,
  p_slots int
) RETURNS TABLE (closed_id text, state text, available bigint, minute_used int, minute_reset int, hour_used int, hour_reset int)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM 1 FROM api_keys k WHERE k.id = ANY (p_keys || p_close_key_ids) ORDER BY k.id FOR NO KEY UPDATE;
  PERFORM 1 FROM accounts a WHERE a.id IN (
    SELECT u.id FROM unnest(p_accounts, p_account_paid) AS u(id, paid) WHERE u.paid
    UNION SELECT c.account_id FROM calls c WHERE c.id = ANY (p_close_ids) AND c.hold_microusd > 0
  ) ORDER BY a.id FOR NO KEY UPDATE;
  RETURN QUERY SELECT c.id, c.state, c.available, 0, 0, 0, 0
    FROM close_calls(p_close_ids, p_close_key_ids, p_success, p_markup, p_raw, p_byok, p_error_codes, p_latency_ms, p_fence) c;
  -- A second statement, so that it sees the rows that the first one wrote.
  RETURN QUERY SELECT NULL::text, o.outcome, o.available, o.minute_used, o.minute_reset, o.hour_used, o.hour_reset
    FROM open_calls(p_keys, p_accounts, p_account_paid, p_ids, p_key_at, p_account_at, p_billing, p_tools, p_skills,
      p_holds, p_fence, p_lease_seconds, p_minute_quota, p_hour_quota, p_slots) o;
END $$;--> statement-breakpoint
-- For the release before admit_calls, which still runs during an upgrade.
CREATE OR REPLACE FUNCTION open_calls(
  p_keys text[],
  p_accounts text[],
  p_account_paid boolean[],
  p_ids text[],
  p_key_at int[],
  p_account_at int[],
  p_billing text[],
  p_tools text[],
  p_skills text[],
  p_holds bigint[],
  p_fence text,
  p_lease_seconds int,
  p_minute_quota int,
  p_hour_quota int,
  p_slots int
) RETURNS TABLE (outcome text, available bigint, minute_used int, minute_reset int, hour_used int, hour_reset int)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY SELECT CASE o.outcome WHEN 'window 1' THEN 'minute' WHEN 'window 2' THEN 'hour' ELSE o.outcome END,
    o.available, o.window_used[1], o.window_resets[1], o.window_used[2], o.window_resets[2]
  FROM admit_calls(p_keys, p_accounts, p_account_paid, p_ids, p_key_at, p_account_at, p_billing, p_tools, p_skills, p_holds,
    p_fence, p_lease_seconds, ARRAY[60, 3600], ARRAY[p_minute_quota, p_hour_quota], p_slots) o;
END $$;--> statement-breakpoint
-- For the release before admit_queued_call, which still runs during an upgrade.
CREATE OR REPLACE FUNCTION open_queued_call(
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
    -- The job exists already where the call waited for a concurrency slot.
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
-- Records ended calls: the usage record, the ledger entry of what was charged, and the hour's
-- roll-up. The caller holds the locks of the keys, so no other transaction changes their roll-ups.
-- p_now is finished_at of all of them.
CREATE OR REPLACE FUNCTION record_calls(p_calls recorded_call[], p_now timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  WITH ended AS (
    SELECT * FROM unnest(p_calls)
  ), records AS (
    INSERT INTO usage_records (account_id, id, key_id, billing, tool, skill, status, raw_cost_microusd, markup_microusd,
      byok, latency_ms, error_code, created_at, finished_at)
    SELECT e.account_id, e.id, e.key_id, e.billing, e.tool, e.skill, CASE WHEN e.success THEN 'success' ELSE 'error' END,
      e.raw_microusd, e.markup_microusd, e.byok, e.latency_ms, e.error_code, e.created_at, p_now
    FROM ended e
  ), entries AS (
    INSERT INTO ledger_entries (kind, ref, account_id, counter_account, amount_microusd, created_at)
    SELECT 'call', e.id, e.account_id, 'revenue', -(e.markup_microusd + e.raw_microusd), p_now
    FROM ended e WHERE e.markup_microusd + e.raw_microusd > 0
  )
  INSERT INTO usage_rollups AS r (account_id, hour, key_id, tool, calls, failed, refused, byok_calls, raw_cost_microusd,
    markup_microusd, latency_ms_sum)
  SELECT e.account_id, date_trunc('hour', p_now, 'UTC'), e.key_id, e.tool, count(*), count(*) FILTER (WHERE NOT e.success),
    count(*) FILTER (WHERE NOT e.success AND (e.byok OR e.error_code <> 'HANDLER_ERROR')), count(*) FILTER (WHERE e.byok),
    sum(e.raw_microusd), sum(e.markup_microusd), sum(e.latency_ms)
  FROM ended e GROUP BY e.account_id, e.key_id, e.tool ORDER BY e.account_id, e.key_id, e.tool
  ON CONFLICT (account_id, hour, key_id, tool) DO UPDATE SET
    calls = r.calls + excluded.calls,
    failed = r.failed + excluded.failed,
    refused = r.refused + excluded.refused,
    byok_calls = r.byok_calls + excluded.byok_calls,
    raw_cost_microusd = r.raw_cost_microusd + excluded.raw_cost_microusd,
    markup_microusd = r.markup_microusd + excluded.markup_microusd,
    latency_ms_sum = r.latency_ms_sum + excluded.latency_ms_sum;
END $$;--> statement-breakpoint
-- Ends calls, each once: charges or releases the hold, frees the slot and records the call. A call
-- that has ended before is returned as it ended. p_fence is the process that opened them; null ends
-- only those with an expired lease.
CREATE OR REPLACE FUNCTION close_calls(
  p_ids text[],
  p_key_ids text[],
  p_success boolean[],
  p_markup bigint[],
  p_raw bigint[],
  p_byok boolean[],
  p_error_codes text[],
  p_latency_ms int[],
  p_fence text
) RETURNS TABLE (id text, state text, available bigint)
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz;
  v_month date;
  v_paid text[];
  v_calls recorded_call[];
BEGIN
  -- A claim moves a key's calls to another account under the key's lock: with it their account
  -- cannot change.
  PERFORM 1 FROM api_keys k WHERE k.id = ANY (p_key_ids) ORDER BY k.id FOR NO KEY UPDATE;
  SELECT array_agg(DISTINCT c.account_id) INTO v_paid
    FROM calls c WHERE c.id = ANY (p_ids) AND c.hold_microusd > 0;
  IF v_paid IS NOT NULL THEN
    PERFORM 1 FROM accounts a WHERE a.id = ANY (v_paid) ORDER BY a.id FOR NO KEY UPDATE;
  END IF;
  v_now := clock_timestamp();
  v_month := date_trunc('month', v_now AT TIME ZONE 'UTC')::date;

  WITH ended AS (
    SELECT u.* FROM unnest(p_ids, p_success, p_markup, p_raw, p_byok, p_error_codes, p_latency_ms)
      AS u(id, success, markup, raw, byok, error_code, latency_ms)
  ), gone AS (
    DELETE FROM calls c USING ended e
    WHERE c.id = e.id AND (c.fence = p_fence OR (p_fence IS NULL AND c.lease_expires_at < v_now))
    -- Clamped to the hold: no price function, however wrong, can charge more than was held.
    RETURNING ROW(c.id, c.key_id, c.account_id, c.billing, c.tool, c.skill, e.success,
      CASE WHEN e.success THEN least(e.raw, c.hold_microusd - least(e.markup, c.hold_microusd)) ELSE 0 END,
      CASE WHEN e.success THEN least(e.markup, c.hold_microusd) ELSE 0 END,
      c.hold_microusd, e.byok, e.error_code, e.latency_ms, c.created_at)::recorded_call AS call
  )
  SELECT array_agg(g.call) INTO v_calls FROM gone g;
  IF v_calls IS NOT NULL THEN
    PERFORM record_calls(v_calls, v_now);
  END IF;

  RETURN QUERY
  WITH gone AS (
    SELECT c.id, c.key_id, c.account_id, c.hold_microusd AS hold, c.markup_microusd AS markup, c.raw_microusd AS raw
    FROM unnest(v_calls) c
  ), freed AS (
    UPDATE api_keys k SET
      running = k.running - g.n,
      credits_held_microusd = k.credits_held_microusd - g.hold,
      credits_used_microusd = k.credits_used_microusd + g.cost,
      last_used_at = v_now
    FROM (SELECT key_id, count(*)::int AS n, sum(hold) AS hold, sum(markup + raw) AS cost FROM gone GROUP BY key_id) g
    WHERE k.id = g.key_id
  ), settled AS (
    -- available = balance - held - debt + freed: what a hold releases pays a debt first.
    UPDATE accounts a SET
      balance_microusd = a.held_microusd - g.hold + greatest(a.balance_microusd - a.held_microusd - a.debt_microusd + g.freed, 0),
      held_microusd = a.held_microusd - g.hold,
      debt_microusd = greatest(-(a.balance_microusd - a.held_microusd - a.debt_microusd + g.freed), 0),
      month_spent_microusd = CASE WHEN a.month_start = v_month THEN a.month_spent_microusd ELSE 0 END + g.cost,
      month_start = v_month,
      reload_wanted_at = CASE WHEN a.auto_reload_enabled AND a.reload_wanted_at IS NULL AND g.cost > 0
        AND a.balance_microusd - a.held_microusd - a.debt_microusd + g.freed < a.reload_threshold_microusd THEN v_now ELSE a.reload_wanted_at END,
      warn_below_microusd = CASE WHEN g.cost > 0 AND a.balance_microusd - a.held_microusd - a.debt_microusd + g.freed < a.warn_below_microusd
        THEN NULL ELSE a.warn_below_microusd END
    FROM (
      SELECT account_id, sum(hold)::bigint AS hold, sum(markup + raw)::bigint AS cost,
        sum(hold - markup - raw)::bigint AS freed
      FROM gone WHERE hold > 0 GROUP BY account_id
    ) g
    WHERE a.id = g.account_id
    RETURNING a.id, a.balance_microusd - a.held_microusd AS available
  )
  SELECT g.id, 'closed', coalesce(s.available, (SELECT a.balance_microusd - a.held_microusd FROM accounts a WHERE a.id = g.account_id))
  FROM gone g LEFT JOIN settled s ON s.id = g.account_id
  UNION ALL
  SELECT e.id, coalesce(b.state, 'lost'), b.available
  FROM unnest(p_ids, p_key_ids) AS e(id, key_id)
  LEFT JOIN LATERAL closed_before(e.key_id, e.id) b ON true
  WHERE e.id NOT IN (SELECT g.id FROM gone g);
END $$;--> statement-breakpoint
-- Creates the partitions from this month to p_ahead months later, as far as possible now. Returns
-- the number created.
CREATE OR REPLACE FUNCTION create_usage_months(p_ahead int) RETURNS int
LANGUAGE plpgsql AS $$
DECLARE
  v_made int := 0;
BEGIN
  FOR i IN 0 .. p_ahead LOOP
    BEGIN
      IF create_usage_month((date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => i))::date) THEN
        v_made := v_made + 1;
      END IF;
    EXCEPTION WHEN lock_not_available OR check_violation THEN
      -- A call that ended just now has put a row of it into the default partition, or holds the
      -- table: asked for again at every start and every sweep, months before it is needed.
      NULL;
    END;
  END LOOP;
  RETURN v_made;
END $$;--> statement-breakpoint
-- Recovers calls with an expired lease. A queued call with an idempotent skill returns to the
-- queue; any other is closed at no charge and its job fails with a reason. The idempotency record
-- of an idempotent skill is released; for others the failure is stored as the response.
CREATE OR REPLACE FUNCTION reap_calls(p_limit int, p_max_attempts int, p_wait_seconds int, p_error text, p_line text, p_reply json,
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
  -- Locks keys before calls, like cancel_job and finish_calls; requeue_call locks calls alone.
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

  -- Out of the queue, but never taken: its worker died in between. Back in, where another finds it;
  -- taken it is once.
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
-- The place of the first rate-limit window that has no room for more calls; null: all have. It is
-- inlined like the other functions of windows, so it has a line per window: three at most.
CREATE OR REPLACE FUNCTION exceeded_window(
  p_started timestamptz[],
  p_used int[],
  p_seconds int[],
  p_quotas int[],
  p_calls int,
  p_now timestamptz
) RETURNS int
LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN p_used[1] + p_calls > p_quotas[1] AND p_started[1] + p_seconds[1] * interval '1 second' > p_now THEN 1
    WHEN p_used[2] + p_calls > p_quotas[2] AND p_started[2] + p_seconds[2] * interval '1 second' > p_now THEN 2
    WHEN p_used[3] + p_calls > p_quotas[3] AND p_started[3] + p_seconds[3] * interval '1 second' > p_now THEN 3
  END
$$;--> statement-breakpoint
-- Why a key of an account may not charge a team; null: it may. The owner of a frozen account spends
-- nothing, of a team neither.
CREATE OR REPLACE FUNCTION team_refusal(p_account_id text, p_team_id text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_owner accounts;
BEGIN
  SELECT a.* INTO v_owner FROM accounts a WHERE a.id = p_account_id;
  IF v_owner.frozen_at IS NOT NULL THEN
    RETURN 'frozen';
  END IF;
  IF NOT EXISTS (SELECT 1 FROM memberships m WHERE m.user_id = v_owner.owner_user_id AND m.account_id = p_team_id) THEN
    RETURN 'forbidden';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
-- The rules of admission, in their order: why calls may not run now; null: they may. The regular
-- path, the fast path and the dry run call it. A null row, hold, quota or number of slots leaves
-- out its rules. PostgreSQL inlines it (docs/decisions/0053): one expression, no subquery, STABLE.
CREATE OR REPLACE FUNCTION admission_refusal(
  p_key api_keys,
  p_account accounts,
  p_account_id text, -- the account that is charged
  p_billing text, -- personal, or the slug of a team
  p_calls int,
  p_hold bigint, -- the most that all these calls can cost
  p_window_seconds int[],
  p_quotas int[], -- calls in each window
  p_slots int, -- calls that may run at once
  p_now timestamptz
) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    CASE
      WHEN p_key.revoked_at IS NOT NULL THEN 'revoked'
      -- A claim moved the key since it was read.
      WHEN p_billing = 'personal' AND p_key.account_id <> p_account_id THEN 'moved'
      WHEN p_account.frozen_at IS NOT NULL OR p_account.closed_at IS NOT NULL THEN 'frozen'
    END,
    CASE WHEN p_billing <> 'personal' THEN team_refusal(p_key.account_id, p_account_id) END,
    CASE WHEN p_hold > 0 AND p_account.disputed_at IS NOT NULL THEN 'disputed' END,
    'window ' || exceeded_window(p_key.window_started_at, p_key.window_used, p_window_seconds, p_quotas, p_calls, p_now),
    CASE
      WHEN p_key.running + p_calls > p_slots THEN 'concurrency'
      WHEN p_hold <= 0 THEN NULL
      WHEN p_hold > p_account.budget_limit_microusd - p_account.held_microusd - (CASE
        WHEN p_account.month_start = date_trunc('month', p_now AT TIME ZONE 'UTC')::date
        THEN p_account.month_spent_microusd ELSE 0 END) THEN 'month'
      WHEN p_account.debt_microusd > 0 THEN 'debt'
      WHEN p_hold > p_key.credits_microusd - p_key.credits_used_microusd - p_key.credits_held_microusd THEN 'key'
      WHEN p_hold > p_account.balance_microusd - p_account.held_microusd THEN 'account'
    END
  )
$$;--> statement-breakpoint
-- Whole seconds from p_now to the end of each rate-limit window; an ended one has its length.
CREATE OR REPLACE FUNCTION window_resets(p_started timestamptz[], p_seconds int[], p_now timestamptz) RETURNS int[]
LANGUAGE sql STABLE AS $$
  SELECT ARRAY[
    CASE WHEN p_started[1] + p_seconds[1] * interval '1 second' > p_now
      THEN ceil(extract(epoch FROM p_started[1] - p_now) + p_seconds[1])::int ELSE p_seconds[1] END,
    CASE WHEN p_started[2] + p_seconds[2] * interval '1 second' > p_now
      THEN ceil(extract(epoch FROM p_started[2] - p_now) + p_seconds[2])::int ELSE p_seconds[2] END,
    CASE WHEN p_started[3] + p_seconds[3] * interval '1 second' > p_now
      THEN ceil(extract(epoch FROM p_started[3] - p_now) + p_seconds[3])::int ELSE p_seconds[3] END
  ]
$$;--> statement-breakpoint
-- The calls in each rate-limit window of a key with more calls at p_now. An ended window starts
-- again, empty; a window that does not exist is null.
CREATE OR REPLACE FUNCTION window_use(p_started timestamptz[], p_used int[], p_seconds int[], p_calls int, p_now timestamptz)
RETURNS int[]
LANGUAGE sql STABLE AS $$
  SELECT ARRAY[
    CASE WHEN p_started[1] + p_seconds[1] * interval '1 second' > p_now THEN p_used[1] WHEN p_seconds[1] > 0 THEN 0 END + p_calls,
    CASE WHEN p_started[2] + p_seconds[2] * interval '1 second' > p_now THEN p_used[2] WHEN p_seconds[2] > 0 THEN 0 END + p_calls,
    CASE WHEN p_started[3] + p_seconds[3] * interval '1 second' > p_now THEN p_used[3] WHEN p_seconds[3] > 0 THEN 0 END + p_calls
  ]
$$;--> statement-breakpoint
-- Admits a group of calls in their order: each takes its hold, slot and place in the windows, or
-- gets a refusal. Locks keys, then charged accounts, each in id order. p_key_at and p_account_at
-- are indexes into p_keys and p_accounts, which are sorted and unique.
CREATE OR REPLACE FUNCTION admit_calls(
  p_keys text[],
  p_accounts text[],
  p_account_paid boolean[], -- whether a call of the group can cost something
  p_ids text[],
  p_key_at int[],
  p_account_at int[],
  p_billing text[],
  p_tools text[],
  p_skills text[],
  p_holds bigint[],
  p_fence text,
  p_lease_seconds int,
  p_window_seconds int[],
  p_quotas int[],
  p_slots int
) RETURNS TABLE (outcome text, available bigint, window_used int[], window_resets int[])
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_keys api_keys[] := array_fill(NULL::api_keys, ARRAY[cardinality(p_keys)]);
  v_accounts accounts[] := array_fill(NULL::accounts, ARRAY[cardinality(p_accounts)]);
  v_key api_keys;
  v_account accounts;
  v_now timestamptz;
  v_admitted boolean[] := array_fill(false, ARRAY[cardinality(p_ids)]);
  v_key_changed boolean[] := array_fill(false, ARRAY[cardinality(p_keys)]);
  v_account_changed boolean[] := array_fill(false, ARRAY[cardinality(p_accounts)]);
BEGIN
  FOR v_key IN SELECT k.* FROM api_keys k WHERE k.id = ANY (p_keys) ORDER BY k.id FOR NO KEY UPDATE LOOP
    v_keys[array_position(p_keys, v_key.id)] := v_key;
  END LOOP;
  FOR v_account IN
    SELECT a.* FROM accounts a
    WHERE a.id IN (SELECT u.id FROM unnest(p_accounts, p_account_paid) AS u(id, paid) WHERE u.paid)
    ORDER BY a.id FOR NO KEY UPDATE
  LOOP
    v_accounts[array_position(p_accounts, v_account.id)] := v_account;
  END LOOP;
  -- Free calls do not change their account, so it is read without a lock.
  FOR v_account IN
    SELECT a.* FROM accounts a
    WHERE a.id IN (SELECT u.id FROM unnest(p_accounts, p_account_paid) AS u(id, paid) WHERE NOT u.paid)
  LOOP
    v_accounts[array_position(p_accounts, v_account.id)] := v_account;
  END LOOP;

  -- Read after the locks: a wait for them must not count a call in a window that has ended.
  v_now := clock_timestamp();
  FOR i IN 1 .. cardinality(p_ids) LOOP
    v_key := v_keys[p_key_at[i]];
    v_account := v_accounts[p_account_at[i]];
    IF v_key.id IS NULL THEN
      outcome := 'revoked';
    ELSE
      outcome := coalesce(admission_refusal(v_key, v_account, p_accounts[p_account_at[i]], p_billing[i], 1, p_holds[i],
        p_window_seconds, p_quotas, p_slots, v_now), CASE WHEN v_account.id IS NULL THEN 'frozen' ELSE 'opened' END);
    END IF;
    v_key.window_used := window_use(v_key.window_started_at, v_key.window_used, p_window_seconds,
      CASE outcome WHEN 'opened' THEN 1 ELSE 0 END, v_now);
    v_key.window_started_at := window_starts(v_key.window_started_at, p_window_seconds, v_now);
    IF outcome = 'opened' THEN
      v_key.running := v_key.running + 1;
      v_key.credits_held_microusd := v_key.credits_held_microusd + p_holds[i];
      v_keys[p_key_at[i]] := v_key;
      v_key_changed[p_key_at[i]] := true;
      v_admitted[i] := true;
      IF p_holds[i] > 0 THEN
        v_account.held_microusd := v_account.held_microusd + p_holds[i];
        v_accounts[p_account_at[i]] := v_account;
        v_account_changed[p_account_at[i]] := true;
      END IF;
    END IF;
    available := coalesce(v_account.balance_microusd - v_account.held_microusd, 0);
    window_used := v_key.window_used;
    window_resets := window_resets(v_key.window_started_at, p_window_seconds, v_now);
    RETURN NEXT;
  END LOOP;
  IF NOT true = ANY (v_admitted) THEN
    RETURN;
  END IF;

  UPDATE api_keys k SET
    window_started_at = u.window_started_at,
    window_used = u.window_used,
    running = u.running,
    credits_held_microusd = u.credits_held_microusd
  FROM unnest(v_keys) AS u
  WHERE k.id = u.id AND v_key_changed[array_position(p_keys, u.id)];

  INSERT INTO calls (id, key_id, account_id, billing, tool, skill, hold_microusd, fence, lease_expires_at, created_at)
  SELECT u.id, p_keys[u.key_at], p_accounts[u.account_at], u.billing, u.tool, u.skill, u.hold, p_fence,
    v_now + make_interval(secs => p_lease_seconds), v_now
  FROM unnest(p_ids, p_key_at, p_account_at, p_billing, p_tools, p_skills, p_holds, v_admitted)
    AS u(id, key_at, account_at, billing, tool, skill, hold, admitted)
  WHERE u.admitted;

  UPDATE accounts a SET held_microusd = u.held_microusd
  FROM unnest(v_accounts) AS u
  WHERE a.id = u.id AND v_account_changed[array_position(p_accounts, u.id)];
END $$;--> statement-breakpoint
-- Fast path: admits, charges and records calls that have run, each charged to its key's account.
-- If a key or account does not admit all its calls, returns it with fits = false, writes nothing.
-- The account is locked last, so that groups of one account overlap (docs/decisions/0032).
CREATE OR REPLACE FUNCTION commit_fast_path_calls(
  p_keys text[], -- sorted
  p_key_accounts text[],
  p_key_calls int[],
  p_key_holds bigint[],
  p_key_costs bigint[],
  p_accounts text[], -- sorted
  p_account_holds bigint[],
  p_account_costs bigint[],
  p_ids text[],
  p_key_at int[], -- index into p_keys
  p_tools text[],
  p_skills text[],
  p_raw bigint[],
  p_markup bigint[],
  p_error_codes text[],
  p_latency_ms int[],
  p_begun_ms bigint[],
  p_window_seconds int[],
  p_quotas int[],
  p_slots int
) RETURNS TABLE (key_or_account_id text, fits boolean, available bigint, window_used int[], window_resets int[])
LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_rejected text[];
  v_now timestamptz;
  v_month date;
  v_updated int;
BEGIN
  PERFORM 1 FROM api_keys k WHERE k.id = ANY (p_keys) ORDER BY k.id FOR NO KEY UPDATE;
  -- Read after the locks of the keys: a wait for them must not count a call in a window that has
  -- ended.
  v_now := clock_timestamp();
  v_month := date_trunc('month', v_now AT TIME ZONE 'UTC')::date;
  IF cardinality(p_keys) > 1 THEN
    SELECT array_agg(r.id) INTO v_rejected FROM (
      SELECT u.id FROM unnest(p_keys, p_key_accounts, p_key_calls, p_key_holds) AS u(id, account_id, calls, hold)
      LEFT JOIN api_keys k ON k.id = u.id
      WHERE k.id IS NULL OR admission_refusal(k, NULL, u.account_id, 'personal', u.calls, u.hold, p_window_seconds,
        p_quotas, p_slots, v_now) IS NOT NULL
      UNION ALL
      -- Without a lock: the rows decide again under their locks, below.
      SELECT u.id FROM unnest(p_accounts, p_account_holds) AS u(id, hold) LEFT JOIN accounts a ON a.id = u.id
      WHERE a.id IS NULL OR admission_refusal(NULL, a, u.id, 'personal', 0, u.hold, NULL, NULL, NULL, v_now) IS NOT NULL
    ) r;
    IF v_rejected IS NOT NULL THEN
      RETURN QUERY SELECT r, false, NULL::bigint, NULL::int[], NULL::int[] FROM unnest(v_rejected) AS r;
      RETURN;
    END IF;
  END IF;

  RETURN QUERY
  UPDATE api_keys k SET
    window_started_at = window_starts(k.window_started_at, p_window_seconds, v_now),
    window_used = window_use(k.window_started_at, k.window_used, p_window_seconds, u.calls, v_now),
    credits_used_microusd = k.credits_used_microusd + u.cost,
    last_used_at = v_now
  FROM unnest(p_keys, p_key_accounts, p_key_calls, p_key_holds, p_key_costs) AS u(id, account_id, calls, hold, cost)
  JOIN accounts a ON a.id = u.account_id
  -- Decides for a single key, which the check above leaves out.
  WHERE k.id = u.id AND admission_refusal(k, a, u.account_id, 'personal', u.calls, u.hold, p_window_seconds, p_quotas,
    p_slots, v_now) IS NULL
  RETURNING k.id, true, NULL::bigint, k.window_used, window_resets(k.window_started_at, p_window_seconds, v_now);
  GET DIAGNOSTICS v_updated = ROW_COUNT;
  IF v_updated = 0 THEN
    RETURN QUERY SELECT r, false, NULL::bigint, NULL::int[], NULL::int[] FROM unnest(p_keys) AS r;
    RETURN;
  ELSIF v_updated < cardinality(p_keys) THEN
    -- An account changed since the check: this rolls back all of it.
    RAISE EXCEPTION 'an account no longer admits its calls' USING ERRCODE = 'TG409';
  END IF;

  PERFORM record_calls(ARRAY(
    SELECT ROW(u.id, p_keys[u.key_at], p_key_accounts[u.key_at], 'personal', u.tool, u.skill, u.error_code IS NULL, u.raw,
      u.markup, 0, false, u.error_code, u.latency_ms, to_timestamp(u.begun_ms / 1000.0))::recorded_call
    FROM unnest(p_ids, p_key_at, p_tools, p_skills, p_raw, p_markup, p_error_codes, p_latency_ms, p_begun_ms)
      AS u(id, key_at, tool, skill, raw, markup, error_code, latency_ms, begun_ms)
  ), v_now);

  IF cardinality(p_accounts) > 1 THEN
    PERFORM 1 FROM accounts a
    WHERE a.id IN (SELECT u.id FROM unnest(p_accounts, p_account_holds) AS u(id, hold) WHERE u.hold > 0)
    ORDER BY a.id FOR NO KEY UPDATE;
  END IF;
  -- Decides on each account's row under its lock; the month must still be the one in which the call
  -- is counted.
  RETURN QUERY
  UPDATE accounts a SET
    balance_microusd = a.balance_microusd - u.cost,
    month_spent_microusd = CASE WHEN a.month_start = v_month THEN a.month_spent_microusd ELSE 0 END + u.cost,
    month_start = v_month,
    reload_wanted_at = CASE WHEN a.auto_reload_enabled AND a.reload_wanted_at IS NULL AND u.cost > 0
      AND a.balance_microusd - a.held_microusd - u.cost < a.reload_threshold_microusd THEN v_now ELSE a.reload_wanted_at END,
    warn_below_microusd = CASE WHEN u.cost > 0 AND a.balance_microusd - a.held_microusd - u.cost < a.warn_below_microusd
      THEN NULL ELSE a.warn_below_microusd END
  FROM unnest(p_accounts, p_account_holds, p_account_costs) AS u(id, hold, cost)
  WHERE a.id = u.id AND u.hold > 0 AND u.cost <= u.hold
    AND admission_refusal(NULL, a, u.id, 'personal', 0, u.hold, NULL, NULL, NULL, v_now) IS NULL
    AND date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date = v_month
  RETURNING a.id, true, a.balance_microusd - a.held_microusd, NULL::int[], NULL::int[];
  GET DIAGNOSTICS v_updated = ROW_COUNT;
  IF v_updated < cardinality(array_remove(p_account_holds, 0::bigint)) THEN
    -- Another transaction spent first, since the unlocked check: this rolls back all of it.
    RAISE EXCEPTION 'an account no longer admits its calls' USING ERRCODE = 'TG409';
  END IF;
  IF 0 = ANY (p_account_holds) THEN
    RETURN QUERY SELECT a.id, true, a.balance_microusd - a.held_microusd, NULL::int[], NULL::int[]
    FROM unnest(p_accounts, p_account_holds) AS u(id, hold) JOIN accounts a ON a.id = u.id WHERE u.hold = 0;
  END IF;
END $$;--> statement-breakpoint
-- When each rate-limit window of a key began, as of p_now: an ended window begins again. A window
-- that does not exist is null, so that it begins with its first call once it is added.
CREATE OR REPLACE FUNCTION window_starts(p_started timestamptz[], p_seconds int[], p_now timestamptz) RETURNS timestamptz[]
LANGUAGE sql STABLE AS $$
  SELECT ARRAY[
    CASE WHEN p_started[1] + p_seconds[1] * interval '1 second' > p_now THEN p_started[1] WHEN p_seconds[1] > 0 THEN p_now END,
    CASE WHEN p_started[2] + p_seconds[2] * interval '1 second' > p_now THEN p_started[2] WHEN p_seconds[2] > 0 THEN p_now END,
    CASE WHEN p_started[3] + p_seconds[3] * interval '1 second' > p_now THEN p_started[3] WHEN p_seconds[3] > 0 THEN p_now END
  ]
$$;
