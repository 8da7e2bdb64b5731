-- contract: exceeded_window no release has used it
-- contract: admission_refusal no release has used it
-- contract: admit_calls no release has used it
-- contract: admit_queued_call no release has used it
-- contract: close_and_admit_calls no release has used it
-- contract: commit_fast_path_calls no release has used it
-- contract: commit_kept_calls no release has used it
-- contract: api_keys the previous release writes none of the new columns
ALTER TABLE "api_keys" ADD COLUMN "rules_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "allowed_tools" text[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "allowed_ips" text[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "rate_limits" integer[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "concurrency_limit" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "spend_limit_microusd" bigint;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "spend_period" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "spend_microusd" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "spend_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "spend_ceiling_microusd" bigint;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "tags" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_key_hash" "bytea";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_expires_at" timestamp with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_previous_hash_unique" ON "api_keys" USING btree ("previous_key_hash") WHERE previous_key_hash is not null;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_spend_limit_complete" CHECK (num_nulls(spend_limit_microusd, spend_period, spend_since, spend_ceiling_microusd) in (0, 4)
        and spend_period in ('day', 'week', 'month'));--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_within_spend_limit" CHECK (spend_microusd >= 0 and (spend_limit_microusd is null or spend_microusd <= spend_ceiling_microusd));--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_rotation_complete" CHECK ((previous_key_hash is null) = (previous_expires_at is null));--> statement-breakpoint
DROP FUNCTION exceeded_window;--> statement-breakpoint
DROP FUNCTION admission_refusal;--> statement-breakpoint
DROP FUNCTION admit_calls;--> statement-breakpoint
DROP FUNCTION admit_queued_call;--> statement-breakpoint
DROP FUNCTION close_and_admit_calls;--> statement-breakpoint
DROP FUNCTION commit_fast_path_calls;--> statement-breakpoint
DROP FUNCTION commit_kept_calls;--> statement-breakpoint
-- The place of the first rate-limit window that has no room for more calls; null: all have. It is
-- inlined like the other functions of windows, so it has a line per window: three at most.
CREATE OR REPLACE FUNCTION exceeded_window(
  p_started timestamptz[],
  p_used int[],
  p_seconds int[],
  p_quotas int[],
  p_limits int[], -- lower ones of the key; null: none
  p_calls int,
  p_now timestamptz
) RETURNS int
LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN p_used[1] + p_calls > least(p_quotas[1], p_limits[1]) AND p_started[1] + p_seconds[1] * interval '1 second' > p_now THEN 1
    WHEN p_used[2] + p_calls > least(p_quotas[2], p_limits[2]) AND p_started[2] + p_seconds[2] * interval '1 second' > p_now THEN 2
    WHEN p_used[3] + p_calls > least(p_quotas[3], p_limits[3]) AND p_started[3] + p_seconds[3] * interval '1 second' > p_now THEN 3
  END
$$;--> statement-breakpoint
-- What a key has spent or holds in the calendar period (UTC) of p_now; weeks begin on Monday.
CREATE OR REPLACE FUNCTION spend_in_period(p_spend bigint, p_since timestamptz, p_period text, p_now timestamptz) RETURNS bigint
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_since >= date_trunc(p_period, p_now, 'UTC') THEN p_spend ELSE 0 END
$$;--> statement-breakpoint
-- The rules of admission, in their order: why calls may not run now; null: they may. A null row,
-- version, hold, quota or number of slots leaves out its rules. PostgreSQL inlines it
-- (docs/decisions/0053): one expression, no subquery, STABLE.
CREATE OR REPLACE FUNCTION admission_refusal(
  p_key api_keys,
  p_account accounts,
  p_account_id text, -- the account that is charged
  p_billing text, -- personal, or the slug of a team
  p_rules int, -- the version of the key's rules that the calls were checked against
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
      WHEN p_key.expires_at <= p_now THEN 'expired'
      -- The key has other rules since they were checked.
      WHEN p_key.rules_version <> p_rules THEN 'changed'
      -- A claim moved the key since it was read.
      WHEN p_billing = 'personal' AND p_key.account_id <> p_account_id THEN 'moved'
      WHEN p_account.frozen_at IS NOT NULL OR p_account.closed_at IS NOT NULL THEN 'frozen'
    END,
    CASE WHEN p_billing <> 'personal' THEN team_refusal(p_key.account_id, p_account_id) END,
    CASE WHEN p_hold > 0 AND p_account.disputed_at IS NOT NULL THEN 'disputed' END,
    'window ' || exceeded_window(p_key.window_started_at, p_key.window_used, p_window_seconds, p_quotas, p_key.rate_limits, p_calls,
      p_now),
    CASE
      WHEN p_slots IS NOT NULL AND p_key.running + p_calls > least(p_slots, p_key.concurrency_limit) THEN 'concurrency'
      WHEN p_hold <= 0 THEN NULL
      WHEN p_hold > p_account.budget_limit_microusd - p_account.held_microusd - (CASE
        WHEN p_account.month_start = date_trunc('month', p_now AT TIME ZONE 'UTC')::date
        THEN p_account.month_spent_microusd ELSE 0 END) THEN 'month'
      WHEN p_key.spend_limit_microusd IS NOT NULL AND p_hold > p_key.spend_limit_microusd - spend_in_period(p_key.spend_microusd,
        p_key.spend_since, p_key.spend_period, p_now) THEN 'spend'
      WHEN p_account.debt_microusd > 0 THEN 'debt'
      WHEN p_hold > p_key.credits_microusd - p_key.credits_used_microusd - p_key.credits_held_microusd THEN 'key'
      WHEN p_hold > p_account.balance_microusd - p_account.held_microusd THEN 'account'
    END
  )
$$;--> statement-breakpoint
-- From when the spending of a key counts at p_now: earlier calls belong to a period that ended.
CREATE OR REPLACE FUNCTION spend_start(p_since timestamptz, p_period text, p_now timestamptz) RETURNS timestamptz
LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN p_since >= date_trunc(p_period, p_now, 'UTC') THEN p_since ELSE p_now END
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
  p_rules int[],
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
      outcome := coalesce(admission_refusal(v_key, v_account, p_accounts[p_account_at[i]], p_billing[i], p_rules[i], 1,
        p_holds[i], p_window_seconds, p_quotas, p_slots, v_now), CASE WHEN v_account.id IS NULL THEN 'frozen' ELSE 'opened' END);
    END IF;
    v_key.window_used := window_use(v_key.window_started_at, v_key.window_used, p_window_seconds,
      CASE outcome WHEN 'opened' THEN 1 ELSE 0 END, v_now);
    v_key.window_started_at := window_starts(v_key.window_started_at, p_window_seconds, v_now);
    IF outcome = 'opened' THEN
      v_key.running := v_key.running + 1;
      v_key.credits_held_microusd := v_key.credits_held_microusd + p_holds[i];
      IF v_key.spend_limit_microusd IS NOT NULL THEN
        v_key.spend_microusd := p_holds[i] + spend_in_period(v_key.spend_microusd, v_key.spend_since, v_key.spend_period, v_now);
        v_key.spend_since := spend_start(v_key.spend_since, v_key.spend_period, v_now);
      END IF;
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
    credits_held_microusd = u.credits_held_microusd,
    spend_microusd = u.spend_microusd,
    spend_since = u.spend_since
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
  p_rules int,
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
    ARRAY[p_tool], ARRAY[p_skill], ARRAY[p_hold], ARRAY[p_rules], 'queue', p_wait_seconds, p_window_seconds, p_quotas, p_slots) o;
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
    SELECT c.id, c.key_id, c.account_id, c.hold_microusd AS hold, c.markup_microusd AS markup, c.raw_microusd AS raw,
      c.created_at
    FROM unnest(v_calls) c
  ), freed AS (
    UPDATE api_keys k SET
      running = k.running - g.n,
      credits_held_microusd = k.credits_held_microusd - g.hold,
      credits_used_microusd = k.credits_used_microusd + g.cost,
      -- Calls that were admitted before the period are not counted in it.
      spend_microusd = CASE WHEN k.spend_limit_microusd IS NULL THEN k.spend_microusd ELSE greatest(0, k.spend_microusd - (
        SELECT coalesce(sum(c.hold - c.markup - c.raw), 0) FROM gone c WHERE c.key_id = k.id AND c.created_at >= k.spend_since
      )) END,
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
  p_rules int[],
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
      p_holds, p_rules, p_fence, p_lease_seconds, p_window_seconds, p_quotas, p_slots) o;
END $$;--> statement-breakpoint
-- Fast path: admits, charges and records calls that have run, each charged to its key's account.
-- If a key or account does not admit all its calls, returns it with fits = false, writes nothing.
-- The account is locked last, so that groups of one account overlap (docs/decisions/0032).
CREATE OR REPLACE FUNCTION commit_fast_path_calls(
  p_keys text[], -- sorted
  p_key_accounts text[],
  p_key_rules int[],
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
      SELECT u.id FROM unnest(p_keys, p_key_accounts, p_key_rules, p_key_calls, p_key_holds)
        AS u(id, account_id, rules, calls, hold)
      LEFT JOIN api_keys k ON k.id = u.id
      WHERE k.id IS NULL OR admission_refusal(k, NULL, u.account_id, 'personal', u.rules, u.calls, u.hold,
        p_window_seconds, p_quotas, p_slots, v_now) IS NOT NULL
      UNION ALL
      -- Without a lock: the rows decide again under their locks, below.
      SELECT u.id FROM unnest(p_accounts, p_account_holds) AS u(id, hold) LEFT JOIN accounts a ON a.id = u.id
      WHERE a.id IS NULL OR admission_refusal(NULL, a, u.id, 'personal', NULL, 0, u.hold, NULL, NULL, NULL, v_now) IS NOT NULL
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
    spend_microusd = CASE WHEN k.spend_limit_microusd IS NULL THEN k.spend_microusd
      ELSE u.cost + spend_in_period(k.spend_microusd, k.spend_since, k.spend_period, v_now) END,
    spend_since = CASE WHEN k.spend_limit_microusd IS NOT NULL THEN spend_start(k.spend_since, k.spend_period, v_now) END,
    last_used_at = v_now
  FROM unnest(p_keys, p_key_accounts, p_key_rules, p_key_calls, p_key_holds, p_key_costs)
    AS u(id, account_id, rules, calls, hold, cost)
  JOIN accounts a ON a.id = u.account_id
  -- Decides for a single key, which the check above leaves out.
  WHERE k.id = u.id AND admission_refusal(k, a, u.account_id, 'personal', u.rules, u.calls, u.hold,
    p_window_seconds, p_quotas, p_slots, v_now) IS NULL
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
    AND admission_refusal(NULL, a, u.id, 'personal', NULL, 0, u.hold, NULL, NULL, NULL, v_now) IS NULL
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
-- commit_fast_path_calls for a group in which some calls have an Idempotency-Key: also stores their
-- responses, in new records or those that their runs own. If another run has a record, returns the
-- id of the call with fits = false and writes nothing.
CREATE OR REPLACE FUNCTION commit_kept_calls(
  p_record_accounts text[],
  p_record_keys text[],
  p_record_calls int[], -- index into p_ids
  p_owners text[],
  p_fingerprints text[], -- hexadecimal
  p_replies text[],
  p_keys text[],
  p_key_accounts text[],
  p_key_rules int[],
  p_key_calls int[],
  p_key_holds bigint[],
  p_key_costs bigint[],
  p_accounts text[],
  p_account_holds bigint[],
  p_account_costs bigint[],
  p_ids text[],
  p_key_at int[],
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
  v_row record;
  v_fits boolean := true;
  v_accounts text[] := '{}';
  v_available bigint[] := '{}';
  v_inserted int;
BEGIN
  RETURN QUERY
  SELECT p_ids[r.call_at], false, NULL::bigint, NULL::int[], NULL::int[]
  FROM unnest(p_record_accounts, p_record_keys, p_record_calls, p_owners) AS r(account_id, key, call_at, owner)
  -- Not a join, which may read the complete table.
  WHERE (SELECT i.fence <> r.owner OR i.finished_at IS NOT NULL FROM idempotency_keys i
    WHERE i.account_id = r.account_id AND i.key = r.key AND i.part = 0);
  IF FOUND THEN
    RETURN;
  END IF;

  FOR v_row IN SELECT * FROM commit_fast_path_calls(p_keys, p_key_accounts, p_key_rules, p_key_calls, p_key_holds, p_key_costs,
    p_accounts, p_account_holds, p_account_costs, p_ids, p_key_at, p_tools, p_skills, p_raw, p_markup, p_error_codes, p_latency_ms,
    p_begun_ms, p_window_seconds, p_quotas, p_slots)
  LOOP
    key_or_account_id := v_row.key_or_account_id;
    fits := v_row.fits;
    available := v_row.available;
    window_used := v_row.window_used;
    window_resets := v_row.window_resets;
    RETURN NEXT;
    v_fits := v_fits AND fits;
    IF available IS NOT NULL THEN
      v_accounts := v_accounts || key_or_account_id;
      v_available := v_available || available;
    END IF;
  END LOOP;
  IF NOT v_fits THEN
    RETURN;
  END IF;

  -- Sorted, and after the locks of keys and accounts: two groups with the same new keys insert them
  -- in the same order.
  INSERT INTO idempotency_keys AS i (account_id, key, part, fingerprint, call_id, rerunnable, fence, lease_expires_at,
    created_at, status, reply, available_microusd, finished_at)
  SELECT r.account_id, r.key, 0, decode(r.fingerprint, 'hex'), p_ids[r.call_at], true, r.owner, clock_timestamp(),
    clock_timestamp(), 200, r.reply::json, v_available[array_position(v_accounts, p_key_accounts[p_key_at[r.call_at]])],
    clock_timestamp()
  FROM unnest(p_record_accounts, p_record_keys, p_record_calls, p_owners, p_fingerprints, p_replies)
    AS r(account_id, key, call_at, owner, fingerprint, reply)
  ORDER BY r.account_id, r.key
  ON CONFLICT (account_id, key, part) DO UPDATE SET
    status = excluded.status, reply = excluded.reply, available_microusd = excluded.available_microusd,
    finished_at = excluded.finished_at
  WHERE i.fence = excluded.fence AND i.finished_at IS NULL;
  GET DIAGNOSTICS v_inserted = ROW_COUNT;
  IF v_inserted < cardinality(p_record_keys) THEN
    -- Another request stored one first, since the check: this rolls back all of it.
    RAISE EXCEPTION 'an Idempotency-Key is taken' USING ERRCODE = 'TG409';
  END IF;
  -- Identical requests wait only for a record that was acquired before; its owner is not the call.
  PERFORM pg_notify('gateway', 'call:' || p_ids[r.call_at]) FROM unnest(p_record_calls, p_owners) AS r(call_at, owner)
  WHERE r.owner <> p_ids[r.call_at];
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
    NULL, p_fence, p_lease_seconds, ARRAY[60, 3600], ARRAY[p_minute_quota, p_hour_quota], p_slots) o;
END $$;
