-- usage_records by the month (UTC) in which the call began: what is too old is dropped with its month, not deleted row by
-- row. Whoever closes calls meanwhile waits for the lock and then finds the new table under the old name.
CREATE TABLE "retention_marks" (
	"what" text PRIMARY KEY NOT NULL,
	"kept_from" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "accounts_unclaimed" ON "accounts" USING btree ("created_at") WHERE type = 'provisional' and claimed_at is null;--> statement-breakpoint
LOCK TABLE "usage_records" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
ALTER TABLE "usage_records" RENAME TO "usage_records_before";--> statement-breakpoint
ALTER INDEX "usage_records_key" RENAME TO "usage_records_before_key";--> statement-breakpoint
CREATE TABLE "usage_records" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"key_id" text NOT NULL,
	"billing" text NOT NULL,
	"tool" text NOT NULL,
	"skill" text NOT NULL,
	"status" text NOT NULL,
	"raw_cost_microusd" bigint NOT NULL,
	"markup_microusd" bigint NOT NULL,
	"byok" boolean NOT NULL,
	"latency_ms" integer NOT NULL,
	"error_code" text,
	"job_id" text,
	"created_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone NOT NULL,
	CONSTRAINT "usage_records_account_id_id_created_at_pk" PRIMARY KEY("account_id","id","created_at"),
	CONSTRAINT "usage_records_status_known" CHECK (status in ('success', 'error')),
	CONSTRAINT "usage_records_failure_is_free" CHECK (status = 'success' or raw_cost_microusd + markup_microusd = 0),
	CONSTRAINT "usage_records_cost_not_negative" CHECK (raw_cost_microusd >= 0 and markup_microusd >= 0)
) PARTITION BY RANGE ("created_at");--> statement-breakpoint
CREATE INDEX "usage_records_key" ON "usage_records" USING btree ("key_id","id");--> statement-breakpoint
-- A safety net, empty while months are made in time: no call may fail to close for want of a partition.
CREATE TABLE "usage_records_default" PARTITION OF "usage_records" DEFAULT;--> statement-breakpoint

-- Makes the partition of a month; false where it is there, or where the default partition holds rows of it: they stay
-- there, and are removed when they are old. One process at a time; lock_not_available where it would have to wait, because
-- calls would have to wait behind it.
CREATE FUNCTION create_usage_month(p_month date) RETURNS boolean
LANGUAGE plpgsql SET lock_timeout = '100ms' AS $$
DECLARE
  v_name text := 'usage_records_' || to_char(p_month, 'YYYY_MM');
  v_from timestamptz := date_trunc('month', p_month::timestamp) AT TIME ZONE 'UTC';
  v_to timestamptz := (date_trunc('month', p_month::timestamp) + interval '1 month') AT TIME ZONE 'UTC';
BEGIN
  IF to_regclass(v_name) IS NOT NULL THEN
    RETURN false;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('create_usage_month'));
  IF to_regclass(v_name) IS NOT NULL
    OR EXISTS (SELECT 1 FROM usage_records_default WHERE created_at >= v_from AND created_at < v_to) THEN
    RETURN false;
  END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF usage_records FOR VALUES FROM (%L) TO (%L)', v_name, v_from, v_to);
  RETURN true;
END $$;--> statement-breakpoint

-- Makes the months from this one to p_ahead after it, as far as that is possible now. Returns how many it made.
CREATE FUNCTION create_usage_months(p_ahead int) RETURNS int
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
      -- A call that ended just now has put a row of it into the default partition, or holds the table: asked for again at
      -- every start and every sweep, months before it is needed.
      NULL;
    END;
  END LOOP;
  RETURN v_made;
END $$;--> statement-breakpoint

-- Drops the partition of a month, and says from when on records are whole. Ends with lock_not_available where somebody
-- reads or writes usage for longer than a moment: new calls wait behind it that long.
CREATE FUNCTION drop_usage_month(p_month date) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '100ms' AS $$
BEGIN
  INSERT INTO retention_marks AS m (what, kept_from)
  VALUES ('usage_records', (date_trunc('month', p_month::timestamp) + interval '1 month') AT TIME ZONE 'UTC')
  ON CONFLICT (what) DO UPDATE SET kept_from = greatest(m.kept_from, excluded.kept_from);
  EXECUTE format('DROP TABLE %I', 'usage_records_' || to_char(p_month, 'YYYY_MM'));
END $$;--> statement-breakpoint

SELECT create_usage_month(m.month) FROM (
  SELECT DISTINCT date_trunc('month', created_at AT TIME ZONE 'UTC')::date AS month FROM usage_records_before
) m;--> statement-breakpoint
SELECT create_usage_months(3);--> statement-breakpoint
INSERT INTO usage_records (account_id, id, key_id, billing, tool, skill, status, raw_cost_microusd, markup_microusd, byok,
  latency_ms, error_code, job_id, created_at, finished_at)
SELECT account_id, id, key_id, billing, tool, skill, status, raw_cost_microusd, markup_microusd, byok, latency_ms,
  error_code, job_id, created_at, finished_at FROM usage_records_before;--> statement-breakpoint
DROP TABLE usage_records_before;--> statement-breakpoint
ANALYZE usage_records;--> statement-breakpoint

-- How a call ended that is not running any more. A function of its own, which is only planned and run where it is needed:
-- inside close_calls this look-up would lock and open every month on every flush.
CREATE FUNCTION closed_before(p_key text, p_id text) RETURNS TABLE (state text, available bigint)
LANGUAGE plpgsql STABLE SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY
    SELECT r.status, (SELECT a.balance_microusd - a.held_microusd FROM accounts a WHERE a.id = r.account_id)
    FROM usage_records r WHERE r.key_id = p_key AND r.id = p_id;
END $$;--> statement-breakpoint

-- As before, but for that look-up.
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
BEGIN
  -- A claim moves a key's calls to another account under the key's lock; after it their account stands still.
  PERFORM 1 FROM api_keys k WHERE k.id = ANY (p_key_ids) ORDER BY k.id FOR NO KEY UPDATE;
  SELECT array_agg(DISTINCT c.account_id) INTO v_paid
    FROM calls c WHERE c.id = ANY (p_ids) AND c.hold_microusd > 0;
  IF v_paid IS NOT NULL THEN
    PERFORM 1 FROM accounts a WHERE a.id = ANY (v_paid) ORDER BY a.id FOR NO KEY UPDATE;
  END IF;
  v_now := clock_timestamp();
  v_month := date_trunc('month', v_now AT TIME ZONE 'UTC')::date;

  RETURN QUERY
  WITH ended AS (
    SELECT u.* FROM unnest(p_ids, p_success, p_markup, p_raw, p_byok, p_error_codes, p_latency_ms)
      AS u(id, success, markup, raw, byok, error_code, latency_ms)
  ), gone AS (
    DELETE FROM calls c USING ended e
    WHERE c.id = e.id AND (c.fence = p_fence OR (p_fence IS NULL AND c.lease_expires_at < v_now))
    RETURNING c.id, c.key_id, c.account_id, c.billing, c.tool, c.skill, c.hold_microusd AS hold, c.created_at,
      e.success, e.byok, e.error_code, e.latency_ms,
      -- Clamped to the hold: no price function, however wrong, can take more than was set aside.
      CASE WHEN e.success THEN least(e.markup, c.hold_microusd) ELSE 0 END AS markup,
      CASE WHEN e.success THEN least(e.raw, c.hold_microusd - least(e.markup, c.hold_microusd)) ELSE 0 END AS raw
  ), records AS (
    INSERT INTO usage_records (account_id, id, key_id, billing, tool, skill, status, raw_cost_microusd,
      markup_microusd, byok, latency_ms, error_code, created_at, finished_at)
    SELECT g.account_id, g.id, g.key_id, g.billing, g.tool, g.skill, CASE WHEN g.success THEN 'success' ELSE 'error' END,
      g.raw, g.markup, g.byok, g.latency_ms, g.error_code, g.created_at, v_now
    FROM gone g
  ), entries AS (
    INSERT INTO ledger_entries (kind, ref, account_id, counter_account, amount_microusd, created_at)
    SELECT 'call', g.id, g.account_id, 'revenue', -(g.markup + g.raw), v_now
    FROM gone g WHERE g.markup + g.raw > 0
  ), rollups AS (
    INSERT INTO usage_rollups AS r (account_id, hour, key_id, tool, calls, failed, byok_calls, raw_cost_microusd,
      markup_microusd, latency_ms_sum)
    SELECT g.account_id, date_trunc('hour', v_now, 'UTC'), g.key_id, g.tool, count(*),
      count(*) FILTER (WHERE NOT g.success), count(*) FILTER (WHERE g.byok), sum(g.raw), sum(g.markup), sum(g.latency_ms)
    FROM gone g GROUP BY g.account_id, g.key_id, g.tool ORDER BY g.account_id, g.key_id, g.tool
    ON CONFLICT (account_id, hour, key_id, tool) DO UPDATE SET
      calls = r.calls + excluded.calls,
      failed = r.failed + excluded.failed,
      byok_calls = r.byok_calls + excluded.byok_calls,
      raw_cost_microusd = r.raw_cost_microusd + excluded.raw_cost_microusd,
      markup_microusd = r.markup_microusd + excluded.markup_microusd,
      latency_ms_sum = r.latency_ms_sum + excluded.latency_ms_sum
  ), freed AS (
    UPDATE api_keys k SET
      running = k.running - g.n,
      credits_held_microusd = k.credits_held_microusd - g.hold,
      credits_used_microusd = k.credits_used_microusd + g.cost,
      last_used_at = v_now
    FROM (SELECT key_id, count(*)::int AS n, sum(hold) AS hold, sum(markup + raw) AS cost FROM gone GROUP BY key_id) g
    WHERE k.id = g.key_id
  ), settled AS (
    UPDATE accounts a SET
      balance_microusd = a.balance_microusd - g.cost,
      held_microusd = a.held_microusd - g.hold,
      month_spent_microusd = CASE WHEN a.month_start = v_month THEN a.month_spent_microusd ELSE 0 END + g.cost,
      month_start = v_month
    FROM (SELECT account_id, sum(hold) AS hold, sum(markup + raw) AS cost FROM gone WHERE hold > 0 GROUP BY account_id) g
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
END $$;
