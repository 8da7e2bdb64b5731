-- contract: accounts.plan_id no release writes it
-- contract: accounts.call_quotas no release writes it
-- contract: accounts.month_limit_max_microusd no release writes it
-- contract: memberships.spend_limit_microusd no release writes it
-- contract: memberships.spend_microusd no release writes it
-- small: accounts one short row for each account
-- small: usage_records only months below 64 MB; the sweep creates the index of the others
-- contract: call_content_settings a new table, which no release writes
-- contract: admit_calls no release has used it
-- contract: admit_queued_call no release has used it
-- contract: close_and_admit_calls no release has used it
-- contract: commit_fast_path_calls no release has used it
-- contract: commit_kept_calls no release has used it
CREATE TABLE "email_changes" (
	"confirm_hash" "bytea" PRIMARY KEY NOT NULL,
	"undo_hash" "bytea" NOT NULL,
	"user_id" text NOT NULL,
	"session_id" text NOT NULL,
	"old_email" text NOT NULL,
	"new_email" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"confirmed_at" timestamp with time zone,
	"ended_at" timestamp with time zone
);--> statement-breakpoint
CREATE TABLE "second_factors" (
	"user_id" text PRIMARY KEY NOT NULL,
	"sealed_secret" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_step" bigint,
	"recovery_hashes" text[] NOT NULL,
	CONSTRAINT "second_factors_recovery_confirmed" CHECK (confirmed_at is not null or cardinality(recovery_hashes) = 0)
);--> statement-breakpoint
CREATE TABLE "alert_messages" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alert_messages_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel" text NOT NULL,
	"recipient" text,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"path" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alert_messages_channel_known" CHECK (channel in ('email', 'webhook'))
);--> statement-breakpoint
CREATE TABLE "background_jobs" (
	"name" text PRIMARY KEY NOT NULL,
	"every_seconds" integer,
	"started_at" timestamp with time zone,
	"duration_ms" integer,
	"ok" boolean,
	"error" text,
	"failing_at" timestamp with time zone,
	"next_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "incidents" (
	"id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"impact" text NOT NULL,
	"updates" jsonb NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "incidents_impact_known" CHECK (impact in ('minor', 'major'))
);--> statement-breakpoint
CREATE TABLE "operator_alerts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "operator_alerts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"cause" text NOT NULL,
	"title" text NOT NULL,
	"path" text NOT NULL,
	"opened_at" timestamp with time zone DEFAULT now() NOT NULL,
	"notified_at" timestamp with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp with time zone
);--> statement-breakpoint
CREATE TABLE "status_days" (
	"component" text NOT NULL,
	"day" date NOT NULL,
	"samples" integer NOT NULL,
	"degraded" integer NOT NULL,
	"failed" integer NOT NULL,
	CONSTRAINT "status_days_component_day_pk" PRIMARY KEY("component","day"),
	CONSTRAINT "status_days_counts" CHECK (degraded >= 0 and failed >= 0 and degraded + failed <= samples)
);--> statement-breakpoint
CREATE TABLE "address_removals" (
	"account_id" text PRIMARY KEY NOT NULL,
	"key_id" text DEFAULT '' NOT NULL,
	"call_id" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "call_content_settings" (
	"account_id" text PRIMARY KEY NOT NULL,
	"days" integer,
	"enabled_at" timestamp with time zone NOT NULL,
	"stored_bytes" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "call_content_settings_days_positive" CHECK (days > 0),
	CONSTRAINT "call_content_settings_bytes_not_negative" CHECK (stored_bytes >= 0)
);--> statement-breakpoint
CREATE TABLE "call_contents" (
	"call_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"key_id" text NOT NULL,
	"sealed" text NOT NULL,
	"vault_key_id" text NOT NULL,
	"bytes" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "call_contents_bytes_positive" CHECK (bytes > 0)
);--> statement-breakpoint
CREATE TABLE "billing_details" (
	"account_id" text PRIMARY KEY NOT NULL,
	"company_name" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"vat_id" text DEFAULT '' NOT NULL,
	"billing_email" text,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "invoice_counters" (
	"seller" text NOT NULL,
	"test" boolean NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "invoice_counters_seller_test_year_pk" PRIMARY KEY("seller","test","year")
);--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"account_id" text NOT NULL,
	"payment_id" text NOT NULL,
	"seller" text NOT NULL,
	"test" boolean NOT NULL,
	"year" integer NOT NULL,
	"sequence" integer NOT NULL,
	"number" text NOT NULL,
	"mode" text NOT NULL,
	"total_cents" integer NOT NULL,
	"document" jsonb NOT NULL,
	"issued_by" text NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	CONSTRAINT "invoices_kind_known" CHECK (kind in ('invoice', 'credit_note')),
	CONSTRAINT "invoices_total_above_zero" CHECK (total_cents > 0 and sequence > 0)
);--> statement-breakpoint
CREATE TABLE "plans" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"call_quotas" integer[] NOT NULL,
	"concurrent_calls" integer NOT NULL,
	"asset_quota_mib" integer NOT NULL,
	"month_limit_max_microusd" bigint,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "plans_limits_positive" CHECK (0 < all (call_quotas) and concurrent_calls > 0 and asset_quota_mib > 0 and month_limit_max_microusd > 0)
);--> statement-breakpoint
CREATE TABLE "promo_codes" (
	"id" text PRIMARY KEY NOT NULL,
	"code" text NOT NULL,
	"amount_microusd" bigint NOT NULL,
	"max_redemptions" integer NOT NULL,
	"redeemed" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone,
	"new_people_only" boolean DEFAULT false NOT NULL,
	"note" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deactivated_at" timestamp with time zone,
	CONSTRAINT "promo_codes_code_upper" CHECK (code = upper(code)),
	CONSTRAINT "promo_codes_amount_positive" CHECK (amount_microusd > 0),
	CONSTRAINT "promo_codes_within_redemptions" CHECK (redeemed between 0 and max_redemptions)
);--> statement-breakpoint
CREATE TABLE "promo_redemptions" (
	"id" text PRIMARY KEY NOT NULL,
	"promo_id" text NOT NULL,
	"user_id" text NOT NULL,
	"account_id" text NOT NULL,
	"inbox_hash" text NOT NULL,
	"amount_microusd" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "sign_up_invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "sign_up_invitations_email_lower" CHECK (email = lower(email))
);--> statement-breakpoint
CREATE TABLE "sign_up_policy" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"policy" text NOT NULL,
	"domains" text[] DEFAULT '{}' NOT NULL,
	"updated_by" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sign_up_policy_one_row" CHECK (id),
	CONSTRAINT "sign_up_policy_known" CHECK (policy in ('open', 'invite', 'domains')),
	CONSTRAINT "sign_up_policy_has_domains" CHECK (policy <> 'domains' or cardinality(domains) > 0)
);--> statement-breakpoint
CREATE TABLE "tool_prices" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "tool_prices_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tool" text NOT NULL,
	"skill" text,
	"fee_microusd" bigint,
	"markup_ppm" integer,
	"reason" text NOT NULL,
	"created_by" text NOT NULL,
	"effective_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tool_prices_fee_bounded" CHECK (fee_microusd between 0 and 1000000000),
	CONSTRAINT "tool_prices_markup_bounded" CHECK (markup_ppm between 0 and 10000000),
	CONSTRAINT "tool_prices_fee_of_a_skill" CHECK ((skill is null or markup_ppm is null) and (skill is not null or fee_microusd is null))
);--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "budget_alerts" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "budget_alert_at_microusd" bigint;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "plan_id" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "own_limits" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "call_quotas" integer[];--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "concurrent_calls" integer;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "asset_quota_mib" integer;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "month_limit_max_microusd" bigint;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "spend_limit_microusd" bigint;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "spend_microusd" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "spend_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "spend_ceiling_microusd" bigint;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "factor_due" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "user_agent" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "client_ip" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "last_used_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "export_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "request_id" text;--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "client_address" text;--> statement-breakpoint
ALTER TABLE "usage_days" ADD COLUMN "refused" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_records" ADD COLUMN "request_id" text;--> statement-breakpoint
ALTER TABLE "usage_records" ADD COLUMN "client_address" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "account_quotas" integer[];--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "account_concurrency" integer;--> statement-breakpoint
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_content_settings" ADD CONSTRAINT "call_content_settings_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_details" ADD CONSTRAINT "billing_details_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "promo_redemptions" ADD CONSTRAINT "promo_redemptions_promo_id_promo_codes_id_fk" FOREIGN KEY ("promo_id") REFERENCES "public"."promo_codes"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "email_changes_undo" ON "email_changes" USING btree ("undo_hash");--> statement-breakpoint
CREATE INDEX "email_changes_user" ON "email_changes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "email_changes_created" ON "email_changes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "alert_messages_due" ON "alert_messages" USING btree ("due_at") WHERE sent_at is null;--> statement-breakpoint
CREATE INDEX "alert_messages_created" ON "alert_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "incidents_created" ON "incidents" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "operator_alerts_open" ON "operator_alerts" USING btree ("cause") WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX "operator_alerts_resolved" ON "operator_alerts" USING btree ("resolved_at");--> statement-breakpoint
CREATE INDEX "call_contents_account" ON "call_contents" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_number_unique" ON "invoices" USING btree ("seller","test","year","sequence");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_one_per_payment" ON "invoices" USING btree ("payment_id") WHERE kind = 'invoice';--> statement-breakpoint
CREATE INDEX "invoices_payment" ON "invoices" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "invoices_account" ON "invoices" USING btree ("account_id","issued_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "plans_name_unique" ON "plans" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "promo_codes_code_unique" ON "promo_codes" USING btree ("code");--> statement-breakpoint
CREATE UNIQUE INDEX "promo_redemptions_once_per_person" ON "promo_redemptions" USING btree ("promo_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "promo_redemptions_once_per_inbox" ON "promo_redemptions" USING btree ("promo_id","inbox_hash");--> statement-breakpoint
CREATE INDEX "promo_redemptions_promo" ON "promo_redemptions" USING btree ("promo_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "sign_up_invitations_open" ON "sign_up_invitations" USING btree ("email") WHERE used_at is null;--> statement-breakpoint
CREATE INDEX "tool_prices_tool" ON "tool_prices" USING btree ("tool","skill","id");--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE restrict ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "accounts" VALIDATE CONSTRAINT "accounts_plan_id_plans_id_fk";--> statement-breakpoint
CREATE INDEX "accounts_plan" ON "accounts" USING btree ("plan_id") WHERE plan_id is not null;--> statement-breakpoint
CREATE INDEX "usage_records_request" ON ONLY "usage_records" USING btree ("account_id","request_id","id") WHERE request_id <> '';--> statement-breakpoint
-- Months below 64 MB get their index now; the sweep creates the others without blocking calls.
DO $$
DECLARE
  v_month regclass;
  v_index text;
BEGIN
  FOR v_month IN SELECT i.inhrelid::regclass FROM pg_inherits i WHERE i.inhparent = 'usage_records'::regclass LOOP
    CONTINUE WHEN pg_relation_size(v_month) >= 64 * 1024 * 1024;
    v_index := (SELECT c.relname FROM pg_class c WHERE c.oid = v_month) || '_request';
    EXECUTE format('CREATE INDEX %I ON %s (account_id, request_id, id) WHERE request_id <> %L', v_index, v_month, '');
    EXECUTE format('ALTER INDEX usage_records_request ATTACH PARTITION %I', v_index);
  END LOOP;
END $$;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_limits_complete" CHECK (num_nulls(call_quotas, concurrent_calls, asset_quota_mib) in (0, 3)
        and (call_quotas is not null or not own_limits and month_limit_max_microusd is null)) NOT VALID;--> statement-breakpoint
ALTER TABLE "accounts" VALIDATE CONSTRAINT "accounts_limits_complete";--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_month_limit_within_max" CHECK (month_limit_max_microusd is null or coalesce(budget_limit_microusd <= month_limit_max_microusd, false)) NOT VALID;--> statement-breakpoint
ALTER TABLE "accounts" VALIDATE CONSTRAINT "accounts_month_limit_within_max";--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_spend_limit_complete" CHECK (num_nulls(spend_limit_microusd, spend_since, spend_ceiling_microusd) in (0, 3)) NOT VALID;--> statement-breakpoint
ALTER TABLE "memberships" VALIDATE CONSTRAINT "memberships_spend_limit_complete";--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_within_spend_limit" CHECK (spend_microusd >= 0 and (spend_limit_microusd is null or spend_microusd <= spend_ceiling_microusd)) NOT VALID;--> statement-breakpoint
ALTER TABLE "memberships" VALIDATE CONSTRAINT "memberships_within_spend_limit";--> statement-breakpoint
ALTER TYPE recorded_call ADD ATTRIBUTE request_id text, ADD ATTRIBUTE client_address text;--> statement-breakpoint
DROP FUNCTION admit_calls;--> statement-breakpoint
DROP FUNCTION admit_queued_call;--> statement-breakpoint
DROP FUNCTION close_and_admit_calls;--> statement-breakpoint
DROP FUNCTION commit_fast_path_calls;--> statement-breakpoint
DROP FUNCTION commit_kept_calls;--> statement-breakpoint
-- Whether a call that can cost p_hold exceeds what the owner of an account may spend from a team in
-- this month (UTC).
CREATE OR REPLACE FUNCTION exceeds_member_limit(p_account_id text, p_team_id text, p_hold bigint, p_now timestamptz) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN EXISTS (
    SELECT 1 FROM accounts p JOIN memberships m ON m.user_id = p.owner_user_id AND m.account_id = p_team_id
    WHERE p.id = p_account_id
      AND p_hold > m.spend_limit_microusd - spend_in_period(m.spend_microusd, m.spend_since, 'month', p_now)
  );
END $$;--> statement-breakpoint
-- Why a key of an account may not charge a team; null: it may. The owner of a frozen account spends
-- nothing, of a team neither. A key of a team charges no other account.
CREATE OR REPLACE FUNCTION team_refusal(p_account_id text, p_team_id text) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_owner accounts;
BEGIN
  SELECT a.* INTO v_owner FROM accounts a WHERE a.id = p_account_id;
  IF v_owner.frozen_at IS NOT NULL THEN
    RETURN 'frozen';
  END IF;
  IF v_owner.type = 'team' OR NOT EXISTS (
    SELECT 1 FROM memberships m WHERE m.user_id = v_owner.owner_user_id AND m.account_id = p_team_id
  ) THEN
    RETURN 'forbidden';
  END IF;
  RETURN NULL;
END $$;--> statement-breakpoint
-- The rules of admission, in their order: why calls may not run now; null: they may. A null row,
-- version, hold, quota or number of slots leaves out its rules. PostgreSQL inlines it
-- (docs/decisions/0053): one expression, no subquery, STABLE.
CREATE OR REPLACE FUNCTION admission_refusal(
  p_key api_keys,
  p_account accounts,
  p_account_id text, -- the account that is charged
  p_billing text, -- personal: the account of the key, or the slug of another one, a team
  p_rules int, -- the version of the key's rules that the calls were checked against
  p_calls int,
  p_hold bigint, -- the most that all these calls can cost
  p_window_seconds int[],
  p_quotas int[], -- calls in each window, unless the key's account has quotas of its own
  p_slots int, -- the same for calls that may run at once
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
    'window ' || exceeded_window(p_key.window_started_at, p_key.window_used, p_window_seconds,
      coalesce(p_key.account_quotas, p_quotas), p_key.rate_limits, p_calls, p_now),
    CASE
      WHEN p_slots IS NOT NULL AND p_key.running + p_calls > least(coalesce(p_key.account_concurrency, p_slots),
        p_key.concurrency_limit) THEN 'concurrency'
      WHEN p_hold <= 0 THEN NULL
      WHEN p_hold > p_account.budget_limit_microusd - p_account.held_microusd - (CASE
        WHEN p_account.month_start = date_trunc('month', p_now AT TIME ZONE 'UTC')::date
        THEN p_account.month_spent_microusd ELSE 0 END) THEN 'month'
      WHEN p_key.spend_limit_microusd IS NOT NULL AND p_hold > p_key.spend_limit_microusd - spend_in_period(p_key.spend_microusd,
        p_key.spend_since, p_key.spend_period, p_now) THEN 'spend'
      WHEN p_billing <> 'personal' AND exceeds_member_limit(p_key.account_id, p_account_id, p_hold, p_now) THEN 'member'
      WHEN p_account.debt_microusd > 0 THEN 'debt'
      WHEN p_hold > p_key.credits_microusd - p_key.credits_used_microusd - p_key.credits_held_microusd THEN 'key'
      WHEN p_hold > p_account.balance_microusd - p_account.held_microusd THEN 'account'
    END
  )
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
  p_request_ids text[],
  p_client_addresses text[],
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
        -- At once: the next call of the group may be another one of this member.
        IF p_billing[i] <> 'personal' THEN
          UPDATE memberships m SET
            spend_microusd = p_holds[i] + spend_in_period(m.spend_microusd, m.spend_since, 'month', v_now),
            spend_since = spend_start(m.spend_since, 'month', v_now)
          FROM accounts p
          WHERE p.id = v_key.account_id AND m.user_id = p.owner_user_id AND m.account_id = v_account.id
            AND m.spend_limit_microusd IS NOT NULL;
        END IF;
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

  INSERT INTO calls (id, key_id, account_id, billing, tool, skill, hold_microusd, fence, lease_expires_at, created_at,
    request_id, client_address)
  SELECT u.id, p_keys[u.key_at], p_accounts[u.account_at], u.billing, u.tool, u.skill, u.hold, p_fence,
    v_now + make_interval(secs => p_lease_seconds), v_now, u.request_id, u.client_address
  FROM unnest(p_ids, p_key_at, p_account_at, p_billing, p_tools, p_skills, p_holds, v_admitted, p_request_ids,
      p_client_addresses)
    AS u(id, key_at, account_at, billing, tool, skill, hold, admitted, request_id, client_address)
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
  p_request_id text,
  p_client_address text,
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
    ARRAY[p_tool], ARRAY[p_skill], ARRAY[p_hold], ARRAY[p_rules], ARRAY[p_request_id], ARRAY[p_client_address], 'queue',
    p_wait_seconds, p_window_seconds, p_quotas, p_slots) o;
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
-- Queues the email that an account has used p_percent of its monthly limit. Unclaimed accounts have
-- no manager to alert.
CREATE OR REPLACE FUNCTION queue_budget_alert(p_account accounts, p_percent int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_account.budget_alerts AND p_account.owner_user_id IS NOT NULL THEN
    INSERT INTO outgoing_mails (kind, account_id, ref)
    VALUES ('limit_alert', p_account.id, p_account.month_start || ':' || p_percent || ':' || p_account.budget_limit_microusd);
    PERFORM pg_notify('gateway', 'money');
  END IF;
END $$;--> statement-breakpoint
-- Writes spending_limit.reached once for each month and limit: when the limit is spent, or a call
-- was refused because it would exceed it.
CREATE OR REPLACE FUNCTION emit_spending_limit(p_account text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_account accounts%ROWTYPE;
  v_month timestamptz := date_trunc('month', clock_timestamp(), 'UTC');
BEGIN
  SELECT a.* INTO v_account FROM accounts a WHERE a.id = p_account AND a.budget_limit_microusd IS NOT NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  -- The rest may be smaller than every call: then a refused call reports the last threshold.
  UPDATE accounts a SET budget_alert_at_microusd = NULL
  WHERE a.id = p_account AND a.budget_alert_at_microusd = a.budget_limit_microusd
    AND a.month_start = (v_month AT TIME ZONE 'UTC')::date;
  IF FOUND THEN
    PERFORM queue_budget_alert(v_account, 100);
  END IF;
  PERFORM emit_webhook(p_account, 'spending_limit.reached', json_build_object(
    'account_id', p_account,
    'budget_limit_usd', v_account.budget_limit_microusd / 1000000.0,
    'spent_this_month_usd', CASE WHEN v_account.month_start = (v_month AT TIME ZONE 'UTC')::date
      THEN v_account.month_spent_microusd ELSE 0 END / 1000000.0,
    'resets_at', to_iso(date_trunc('month', v_month + interval '32 days', 'UTC'))
  ), to_iso(v_month) || ' ' || v_account.budget_limit_microusd);
END $$;--> statement-breakpoint
-- The spending at which the next alert of a monthly limit is due; null if none is left.
CREATE OR REPLACE FUNCTION next_budget_alert(p_limit bigint, p_spent bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT min((p_limit * percent + 99) / 100) FROM unnest(ARRAY[50, 80, 100]) AS percent
  WHERE (p_limit * percent + 99) / 100 > p_spent
$$;--> statement-breakpoint
-- Trigger: alerts the managers of an account whose spending crossed 50, 80 or 100 % of its monthly
-- limit, once per threshold; a new month and a new limit re-arm.
CREATE OR REPLACE FUNCTION budget_alert_due() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_percent int;
BEGIN
  UPDATE accounts SET budget_alert_at_microusd = next_budget_alert(NEW.budget_limit_microusd, NEW.month_spent_microusd)
  WHERE id = NEW.id;
  SELECT max(percent) INTO v_percent FROM unnest(ARRAY[50, 80, 100]) AS percent
  WHERE (NEW.budget_limit_microusd * percent + 99) / 100 <= NEW.month_spent_microusd;
  IF v_percent IS NOT NULL THEN
    PERFORM queue_budget_alert(NEW, v_percent);
  END IF;
  IF v_percent = 100 THEN
    PERFORM emit_spending_limit(NEW.id);
  END IF;
  RETURN NULL;
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
      byok, latency_ms, error_code, created_at, finished_at, request_id, client_address)
    SELECT e.account_id, e.id, e.key_id, e.billing, e.tool, e.skill, CASE WHEN e.success THEN 'success' ELSE 'error' END,
      e.raw_microusd, e.markup_microusd, e.byok, e.latency_ms, e.error_code, e.created_at, p_now, e.request_id, e.client_address
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
      c.hold_microusd, e.byok, e.error_code, e.latency_ms, c.created_at, c.request_id, c.client_address)::recorded_call AS call
  )
  SELECT array_agg(g.call) INTO v_calls FROM gone g;
  IF v_calls IS NOT NULL THEN
    PERFORM record_calls(v_calls, v_now);
  END IF;
  -- What members had held of a team. Its account is locked, which serializes these rows.
  IF v_paid IS NOT NULL AND EXISTS (SELECT 1 FROM unnest(v_calls) c WHERE c.billing <> 'personal') THEN
    UPDATE memberships m SET spend_microusd = greatest(0, m.spend_microusd - (
      SELECT coalesce(sum(c.hold_microusd - c.markup_microusd - c.raw_microusd), 0)
      FROM unnest(v_calls) c JOIN api_keys k ON k.id = c.key_id JOIN accounts p ON p.id = k.account_id
      WHERE c.billing <> 'personal' AND c.account_id = m.account_id AND p.owner_user_id = m.user_id AND c.created_at >= m.spend_since
    ))
    WHERE m.spend_limit_microusd IS NOT NULL AND (m.account_id, m.user_id) IN (
      SELECT c.account_id, p.owner_user_id FROM unnest(v_calls) c JOIN api_keys k ON k.id = c.key_id JOIN accounts p ON p.id = k.account_id
      WHERE c.billing <> 'personal'
    );
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
  p_request_ids text[],
  p_client_addresses text[],
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
      p_holds, p_rules, p_request_ids, p_client_addresses, p_fence, p_lease_seconds, p_window_seconds, p_quotas, p_slots) o;
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
  p_request_ids text[],
  p_client_addresses text[],
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
      u.markup, 0, false, u.error_code, u.latency_ms, to_timestamp(u.begun_ms / 1000.0), u.request_id,
      u.client_address)::recorded_call
    FROM unnest(p_ids, p_key_at, p_tools, p_skills, p_raw, p_markup, p_error_codes, p_latency_ms, p_begun_ms,
      p_request_ids, p_client_addresses)
      AS u(id, key_at, tool, skill, raw, markup, error_code, latency_ms, begun_ms, request_id, client_address)
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
  p_request_ids text[],
  p_client_addresses text[],
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
    p_begun_ms, p_request_ids, p_client_addresses, p_window_seconds, p_quotas, p_slots)
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
-- Trigger of api_keys: a new key, or one that a claim moves, gets the limits of its account. Waits
-- for a change of these limits that is under way, which does not reach the key.
CREATE OR REPLACE FUNCTION follow_account_limits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT a.call_quotas, a.concurrent_calls INTO NEW.account_quotas, NEW.account_concurrency
  FROM accounts a WHERE a.id = NEW.account_id FOR SHARE;
  RETURN NEW;
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
    NULL, NULL, NULL, p_fence, p_lease_seconds, ARRAY[60, 3600], ARRAY[p_minute_quota, p_hour_quota], p_slots) o;
END $$;--> statement-breakpoint
CREATE TRIGGER accounts_budget_alert AFTER UPDATE OF month_spent_microusd ON accounts FOR EACH ROW
  WHEN (NEW.budget_limit_microusd IS NOT NULL AND NEW.month_spent_microusd > 0
    AND (NEW.month_spent_microusd >= NEW.budget_alert_at_microusd OR OLD.month_start IS DISTINCT FROM NEW.month_start))
  EXECUTE FUNCTION budget_alert_due();--> statement-breakpoint
-- Alerts of existing limits begin at the next threshold.
UPDATE accounts SET budget_alert_at_microusd = next_budget_alert(budget_limit_microusd,
  CASE WHEN month_start = date_trunc('month', now() AT TIME ZONE 'UTC')::date THEN month_spent_microusd ELSE 0 END)
WHERE budget_limit_microusd IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER invoices_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON invoices
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
-- Prices are evidence of what calls cost: a change is a new row.
CREATE TRIGGER tool_prices_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "tool_prices"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();--> statement-breakpoint
CREATE TRIGGER api_keys_follow_account BEFORE INSERT OR UPDATE OF account_id ON "api_keys" FOR EACH ROW
EXECUTE FUNCTION follow_account_limits();
