-- The schema of 0.1.0. Drizzle wrote the tables, except what it cannot express: partitions, a type, a
-- sequence and storage parameters. SQL functions and their triggers are in db/functions.
-- A call that ended, as record_calls takes it.
CREATE TYPE "recorded_call" AS (
	"id" text,
	"key_id" text,
	"account_id" text,
	"billing" text,
	"tool" text,
	"skill" text,
	"success" boolean,
	"raw_microusd" bigint,
	"markup_microusd" bigint,
	"hold_microusd" bigint,
	"byok" boolean,
	"error_code" text,
	"latency_ms" integer,
	"created_at" timestamp with time zone,
	"request_id" text,
	"client_address" text
);
--> statement-breakpoint
-- Numbers the readings of a provider's payment: of two, the later one is applied last.
CREATE SEQUENCE "payment_tickets";
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"slug" text,
	"owner_user_id" text,
	"balance_microusd" bigint DEFAULT 0 NOT NULL,
	"held_microusd" bigint DEFAULT 0 NOT NULL,
	"debt_microusd" bigint DEFAULT 0 NOT NULL,
	"budget_limit_microusd" bigint,
	"month_start" date,
	"month_spent_microusd" bigint DEFAULT 0 NOT NULL,
	"frozen_at" timestamp with time zone,
	"frozen_reason" text,
	"claim_nonce" text,
	"claim_token_hash" "bytea",
	"claimed_at" timestamp with time zone,
	"claimed_by_account_id" text,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"auto_reload_enabled" boolean DEFAULT false NOT NULL,
	"reload_threshold_microusd" bigint DEFAULT 5000000 NOT NULL,
	"reload_amount_microusd" bigint DEFAULT 20000000 NOT NULL,
	"reload_wanted_at" timestamp with time zone,
	"reload_failures" smallint DEFAULT 0 NOT NULL,
	"reload_not_before_at" timestamp with time zone,
	"reload_stopped_at" timestamp with time zone,
	"warn_below_microusd" bigint,
	"disputed_at" timestamp with time zone,
	"reload_daily_limit_microusd" bigint DEFAULT 500000000 NOT NULL,
	"reload_stopped_reason" text,
	"prepaid" boolean DEFAULT false NOT NULL,
	"budget_alerts" boolean DEFAULT true NOT NULL,
	"budget_alert_at_microusd" bigint,
	"plan_id" text,
	"own_limits" boolean DEFAULT false NOT NULL,
	"call_quotas" integer[],
	"concurrent_calls" integer,
	"asset_quota_mib" integer,
	"month_limit_max_microusd" bigint,
	CONSTRAINT "accounts_type_known" CHECK (type in ('provisional', 'personal', 'team')),
	CONSTRAINT "accounts_held_within_balance" CHECK (balance_microusd >= held_microusd and held_microusd >= 0),
	CONSTRAINT "accounts_debt_not_negative" CHECK (debt_microusd >= 0),
	CONSTRAINT "accounts_debt_comes_first" CHECK (debt_microusd = 0 or balance_microusd = held_microusd),
	CONSTRAINT "accounts_month_spent_not_negative" CHECK (month_spent_microusd >= 0),
	CONSTRAINT "accounts_reload_in_range" CHECK (reload_threshold_microusd >= 0 and reload_amount_microusd > 0),
	CONSTRAINT "accounts_limits_complete" CHECK (num_nulls(call_quotas, concurrent_calls, asset_quota_mib) in (0, 3)
        and (call_quotas is not null or not own_limits and month_limit_max_microusd is null)),
	CONSTRAINT "accounts_month_limit_within_max" CHECK (month_limit_max_microusd is null or coalesce(budget_limit_microusd <= month_limit_max_microusd, false)),
	CONSTRAINT "accounts_provisional_has_no_owner" CHECK ((type = 'provisional') = (owner_user_id is null))
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"account_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"spend_limit_microusd" bigint,
	"spend_microusd" bigint DEFAULT 0 NOT NULL,
	"spend_since" timestamp with time zone,
	"spend_ceiling_microusd" bigint,
	CONSTRAINT "memberships_account_id_user_id_pk" PRIMARY KEY("account_id","user_id"),
	CONSTRAINT "memberships_role_known" CHECK (role in ('owner', 'admin', 'member')),
	CONSTRAINT "memberships_spend_limit_complete" CHECK (num_nulls(spend_limit_microusd, spend_since, spend_ceiling_microusd) in (0, 3)),
	CONSTRAINT "memberships_within_spend_limit" CHECK (spend_microusd >= 0 and (spend_limit_microusd is null or spend_microusd <= spend_ceiling_microusd))
);
--> statement-breakpoint
CREATE TABLE "assets" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"call_id" text,
	"tool" text,
	"skill" text,
	"filename" text NOT NULL,
	"content_type" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text,
	"blob_key" text NOT NULL,
	"thumbnail_key" text,
	"thumbnail_bytes" integer,
	"stored_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"key_id" text,
	CONSTRAINT "assets_size_not_negative" CHECK (size_bytes >= 0),
	CONSTRAINT "assets_stored_is_hashed" CHECK ((stored_at is null) = (sha256 is null))
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"id" text PRIMARY KEY NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"account_id" text,
	"target" text,
	"details" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"request_id" text
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"user_id" text NOT NULL,
	"type" text NOT NULL,
	"provider" text NOT NULL,
	"provider_account_id" text NOT NULL,
	"refresh_token" text,
	"access_token" text,
	"expires_at" integer,
	"token_type" text,
	"scope" text,
	"id_token" text,
	"session_state" text,
	CONSTRAINT "identities_provider_provider_account_id_pk" PRIMARY KEY("provider","provider_account_id")
);
--> statement-breakpoint
CREATE TABLE "second_factors" (
	"user_id" text PRIMARY KEY NOT NULL,
	"sealed_secret" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_step" bigint,
	"recovery_hashes" text[] NOT NULL,
	CONSTRAINT "second_factors_recovery_confirmed" CHECK (confirmed_at is not null or cardinality(recovery_hashes) = 0)
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"session_token" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"expires" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"verified_email" text,
	"factor_due" boolean DEFAULT false NOT NULL,
	"user_agent" text,
	"client_ip" text,
	"last_used_at" timestamp with time zone,
	"export_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text,
	"email" text NOT NULL,
	"email_verified" timestamp with time zone,
	"image" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"default_team_id" text,
	CONSTRAINT "users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "verification_tokens" (
	"identifier" text NOT NULL,
	"token" text NOT NULL,
	"expires" timestamp with time zone NOT NULL,
	CONSTRAINT "verification_tokens_identifier_token_pk" PRIMARY KEY("identifier","token")
);
--> statement-breakpoint
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
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE TABLE "incidents" (
	"id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"impact" text NOT NULL,
	"updates" jsonb NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp with time zone,
	CONSTRAINT "incidents_impact_known" CHECK (impact in ('minor', 'major'))
);
--> statement-breakpoint
CREATE TABLE "operator_alerts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "operator_alerts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"cause" text NOT NULL,
	"title" text NOT NULL,
	"path" text NOT NULL,
	"opened_at" timestamp with time zone DEFAULT now() NOT NULL,
	"notified_at" timestamp with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "status_days" (
	"component" text NOT NULL,
	"day" date NOT NULL,
	"samples" integer NOT NULL,
	"degraded" integer NOT NULL,
	"failed" integer NOT NULL,
	CONSTRAINT "status_days_component_day_pk" PRIMARY KEY("component","day"),
	CONSTRAINT "status_days_counts" CHECK (degraded >= 0 and failed >= 0 and degraded + failed <= samples)
);
--> statement-breakpoint
CREATE TABLE "calls" (
	"id" text PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"account_id" text NOT NULL,
	"billing" text NOT NULL,
	"tool" text NOT NULL,
	"skill" text NOT NULL,
	"hold_microusd" bigint NOT NULL,
	"fence" text NOT NULL,
	"lease_expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"request_id" text,
	"client_address" text,
	CONSTRAINT "calls_hold_not_negative" CHECK (hold_microusd >= 0)
);
--> statement-breakpoint
CREATE TABLE "usage_days" (
	"account_id" text NOT NULL,
	"day" timestamp with time zone NOT NULL,
	"key_id" text NOT NULL,
	"tool" text NOT NULL,
	"calls" integer NOT NULL,
	"failed" integer NOT NULL,
	"byok_calls" integer NOT NULL,
	"raw_cost_microusd" bigint NOT NULL,
	"markup_microusd" bigint NOT NULL,
	"latency_ms_sum" bigint NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_days_account_id_day_key_id_tool_pk" PRIMARY KEY("account_id","day","key_id","tool")
);
--> statement-breakpoint
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
	"request_id" text,
	"client_address" text,
	CONSTRAINT "usage_records_account_id_id_created_at_pk" PRIMARY KEY("account_id","id","created_at"),
	CONSTRAINT "usage_records_status_known" CHECK (status in ('success', 'error')),
	CONSTRAINT "usage_records_failure_is_free" CHECK (status = 'success' or raw_cost_microusd + markup_microusd = 0),
	CONSTRAINT "usage_records_cost_not_negative" CHECK (raw_cost_microusd >= 0 and markup_microusd >= 0)
) PARTITION BY RANGE ("created_at");
--> statement-breakpoint
-- Empty while the months exist in time: no call may fail to close for want of a partition.
CREATE TABLE "usage_records_default" PARTITION OF "usage_records" DEFAULT;
--> statement-breakpoint
CREATE TABLE "usage_rollups" (
	"account_id" text NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"key_id" text NOT NULL,
	"tool" text NOT NULL,
	"calls" integer NOT NULL,
	"failed" integer NOT NULL,
	"byok_calls" integer NOT NULL,
	"raw_cost_microusd" bigint NOT NULL,
	"markup_microusd" bigint NOT NULL,
	"latency_ms_sum" bigint NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "usage_rollups_account_id_hour_key_id_tool_pk" PRIMARY KEY("account_id","hour","key_id","tool")
);
--> statement-breakpoint
CREATE TABLE "address_removals" (
	"account_id" text PRIMARY KEY NOT NULL,
	"key_id" text DEFAULT '' NOT NULL,
	"call_id" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "call_content_settings" (
	"account_id" text PRIMARY KEY NOT NULL,
	"days" integer,
	"enabled_at" timestamp with time zone NOT NULL,
	"stored_bytes" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "call_content_settings_days_positive" CHECK (days > 0),
	CONSTRAINT "call_content_settings_bytes_not_negative" CHECK (stored_bytes >= 0)
);
--> statement-breakpoint
CREATE TABLE "call_contents" (
	"call_id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"key_id" text NOT NULL,
	"sealed" text NOT NULL,
	"vault_key_id" text NOT NULL,
	"bytes" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "call_contents_bytes_positive" CHECK (bytes > 0)
);
--> statement-breakpoint
CREATE TABLE "credentials" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"slot" text NOT NULL,
	"label" text NOT NULL,
	"is_default" boolean NOT NULL,
	"sealed" text NOT NULL,
	"vault_key_id" text NOT NULL,
	"version" integer NOT NULL,
	"mask" text NOT NULL,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "credentials_version_positive" CHECK (version > 0)
);
--> statement-breakpoint
CREATE TABLE "queued_call_states" (
	"call_id" text PRIMARY KEY NOT NULL,
	"slot" text,
	"source" text,
	"sealed_key" text,
	"checkpoint" json,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"prices" json
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"account_id" text NOT NULL,
	"key" text NOT NULL,
	"part" smallint NOT NULL,
	"fingerprint" "bytea" NOT NULL,
	"call_id" text,
	"rerunnable" boolean NOT NULL,
	"fence" text NOT NULL,
	"lease_expires_at" timestamp with time zone NOT NULL,
	"status" integer,
	"reply" json,
	"available_microusd" bigint,
	"created_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "idempotency_keys_account_id_key_part_pk" PRIMARY KEY("account_id","key","part"),
	CONSTRAINT "idempotency_keys_finished_has_reply" CHECK ((finished_at is not null) = (reply is not null and status is not null))
);
--> statement-breakpoint
CREATE TABLE "imported_skill_prices" (
	"tool" text NOT NULL,
	"skill" text NOT NULL,
	"fee_microusd" bigint NOT NULL,
	"provider_cost_microusd" bigint NOT NULL,
	CONSTRAINT "imported_skill_prices_tool_skill_pk" PRIMARY KEY("tool","skill"),
	CONSTRAINT "imported_skill_prices_range" CHECK ("imported_skill_prices"."fee_microusd" >= 0 and "imported_skill_prices"."provider_cost_microusd" >= 0)
);
--> statement-breakpoint
CREATE TABLE "imported_slots" (
	"slot" text PRIMARY KEY NOT NULL,
	"tool" text NOT NULL,
	"carrier" json NOT NULL,
	"display_name" text NOT NULL,
	"description" text NOT NULL,
	"acquire_url" text NOT NULL,
	"setup_guide" text NOT NULL,
	"sealed" text,
	"vault_key_id" text,
	"version" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "imported_tools" (
	"name" text PRIMARY KEY NOT NULL,
	"source" json NOT NULL,
	"presentation" json NOT NULL,
	"version" text NOT NULL,
	"definition" json NOT NULL,
	"definition_hash" text NOT NULL,
	"pending_definition" json,
	"changed_at" timestamp with time zone,
	"problem" text,
	"disabled_at" timestamp with time zone,
	"connection" json,
	"allow_private" boolean DEFAULT false NOT NULL,
	"fee_microusd" bigint NOT NULL,
	"provider_cost_microusd" bigint NOT NULL,
	"revision" bigint DEFAULT 1 NOT NULL,
	"checked_at" timestamp with time zone,
	"checking_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "imported_tools_prices" CHECK ("imported_tools"."fee_microusd" >= 0 and "imported_tools"."provider_cost_microusd" >= 0)
);
--> statement-breakpoint
CREATE TABLE "billing_details" (
	"account_id" text PRIMARY KEY NOT NULL,
	"company_name" text DEFAULT '' NOT NULL,
	"address" text DEFAULT '' NOT NULL,
	"vat_id" text DEFAULT '' NOT NULL,
	"billing_email" text,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invoice_counters" (
	"seller" text NOT NULL,
	"test" boolean NOT NULL,
	"year" integer NOT NULL,
	"last" integer NOT NULL,
	CONSTRAINT "invoice_counters_seller_test_year_pk" PRIMARY KEY("seller","test","year")
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE TABLE "job_logs" (
	"job_id" text NOT NULL,
	"seq" integer NOT NULL,
	"message" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"progress" real,
	CONSTRAINT "job_logs_job_id_seq_pk" PRIMARY KEY("job_id","seq")
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"call_id" text NOT NULL,
	"account_id" text NOT NULL,
	"key_id" text NOT NULL,
	"billing" text NOT NULL,
	"tool" text NOT NULL,
	"skill" text NOT NULL,
	"status" text NOT NULL,
	"queued" boolean NOT NULL,
	"rerunnable" boolean NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"input" json,
	"result" json,
	"available_microusd" bigint,
	"error" text,
	"error_code" text,
	"progress" real,
	"fence" text,
	"lease_expires_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"webhook_url" text,
	CONSTRAINT "jobs_status_known" CHECK (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
	CONSTRAINT "jobs_finished_is_final" CHECK ((status in ('completed', 'failed', 'cancelled')) = (finished_at is not null)),
	CONSTRAINT "jobs_completed_has_result" CHECK ((status = 'completed') = (result is not null))
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"origin_account_id" text,
	"name" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"mask" text NOT NULL,
	"credits_microusd" bigint,
	"credits_used_microusd" bigint DEFAULT 0 NOT NULL,
	"credits_held_microusd" bigint DEFAULT 0 NOT NULL,
	"running" integer DEFAULT 0 NOT NULL,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"kind" text DEFAULT 'api' NOT NULL,
	"manages_account" boolean DEFAULT true NOT NULL,
	"seeded" boolean DEFAULT false NOT NULL,
	"window_started_at" timestamp with time zone[] DEFAULT '{}' NOT NULL,
	"window_used" integer[] DEFAULT '{}' NOT NULL,
	"rules_version" integer DEFAULT 0 NOT NULL,
	"expires_at" timestamp with time zone,
	"allowed_tools" text[],
	"allowed_ips" text[],
	"rate_limits" integer[],
	"concurrency_limit" integer,
	"spend_limit_microusd" bigint,
	"spend_period" text,
	"spend_microusd" bigint DEFAULT 0 NOT NULL,
	"spend_since" timestamp with time zone,
	"spend_ceiling_microusd" bigint,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"previous_key_hash" "bytea",
	"previous_expires_at" timestamp with time zone,
	"account_quotas" integer[],
	"account_concurrency" integer,
	CONSTRAINT "api_keys_kind_known" CHECK (kind in ('api', 'playground', 'oauth')),
	CONSTRAINT "api_keys_credits_not_negative" CHECK (credits_microusd is null or credits_microusd >= 0),
	CONSTRAINT "api_keys_used_not_negative" CHECK (credits_used_microusd >= 0 and credits_held_microusd >= 0),
	CONSTRAINT "api_keys_within_credits" CHECK (credits_microusd is null or credits_used_microusd + credits_held_microusd <= credits_microusd),
	CONSTRAINT "api_keys_spend_limit_complete" CHECK (num_nulls(spend_limit_microusd, spend_period, spend_since, spend_ceiling_microusd) in (0, 4)
        and spend_period in ('day', 'week', 'month')),
	CONSTRAINT "api_keys_within_spend_limit" CHECK (spend_microusd >= 0 and (spend_limit_microusd is null or spend_microusd <= spend_ceiling_microusd)),
	CONSTRAINT "api_keys_rotation_complete" CHECK ((previous_key_hash is null) = (previous_expires_at is null)),
	CONSTRAINT "api_keys_running_not_negative" CHECK (running >= 0)
);
--> statement-breakpoint
CREATE TABLE "rate_windows" (
	"scope" text NOT NULL,
	"subject" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"used" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ledger_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"ref" text NOT NULL,
	"account_id" text NOT NULL,
	"counter_account" text NOT NULL,
	"amount_microusd" bigint NOT NULL,
	"memo" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ledger_entries_amount_not_zero" CHECK (amount_microusd <> 0),
	CONSTRAINT "ledger_entries_kind_known" CHECK (kind in ('call', 'grant', 'claim_out', 'claim_in', 'purchase', 'refund', 'dispute'))
);
--> statement-breakpoint
CREATE TABLE "oauth_clients" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"redirect_uris" text[] NOT NULL,
	"uri" text,
	"secret_hash" "bytea",
	"document_read_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_codes" (
	"code_hash" "bytea" PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"user_id" text NOT NULL,
	"account_id" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"challenge" text NOT NULL,
	"credits_microusd" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"grant_id" text
);
--> statement-breakpoint
CREATE TABLE "oauth_grants" (
	"id" text PRIMARY KEY NOT NULL,
	"client_id" text NOT NULL,
	"user_id" text NOT NULL,
	"key_id" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oauth_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"grant_id" text NOT NULL,
	"kind" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"successor_seed" "bytea",
	CONSTRAINT "oauth_tokens_kind_known" CHECK (kind in ('access', 'refresh'))
);
--> statement-breakpoint
CREATE TABLE "reconcile_runs" (
	"id" text PRIMARY KEY NOT NULL,
	"created_by" text NOT NULL,
	"asked_provider" boolean NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"checks_done" integer DEFAULT 0 NOT NULL,
	"checks" integer DEFAULT 0 NOT NULL,
	"counted" jsonb,
	"provider_payments" integer,
	"difference_count" integer DEFAULT 0 NOT NULL,
	"differences" jsonb DEFAULT '[]' NOT NULL,
	"problem" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"alive_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "reconcile_runs_status_known" CHECK (status in ('running', 'ok', 'differences', 'failed')),
	CONSTRAINT "reconcile_runs_running_is_unfinished" CHECK ((status = 'running') = (finished_at is null))
);
--> statement-breakpoint
CREATE TABLE "tool_switches" (
	"tool" text PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"mode" text NOT NULL,
	"account_id" text NOT NULL,
	"created_by" text NOT NULL,
	"credits_microusd" bigint NOT NULL,
	"fee_microusd" bigint NOT NULL,
	"total_cents" integer NOT NULL,
	"save_card" boolean DEFAULT false NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"payment_id" text,
	"failure_code" text,
	"session_id" text,
	"customer_id" text,
	"payment_method_id" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"fence" text,
	"lease_expires_at" timestamp with time zone,
	"key_id" text,
	"challenge_id" text,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"sealed_payment" text,
	CONSTRAINT "orders_kind_known" CHECK (kind in ('checkout', 'reload', 'machine')),
	CONSTRAINT "orders_mode_known" CHECK (mode in ('live', 'test', 'fake', 'sandbox', 'x402')),
	CONSTRAINT "orders_status_known" CHECK (status in ('open', 'paid', 'failed', 'expired')),
	CONSTRAINT "orders_open_is_unfinished" CHECK ((status = 'open') = (finished_at is null)),
	CONSTRAINT "orders_paid_has_payment" CHECK (status <> 'paid' or payment_id is not null),
	CONSTRAINT "orders_total_is_credits_and_fee" CHECK (credits_microusd > 0 and fee_microusd >= 0 and total_cents * 10000::bigint = credits_microusd + fee_microusd)
);
--> statement-breakpoint
CREATE TABLE "outgoing_emails" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outgoing_emails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"account_id" text NOT NULL,
	"ref" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "payment_event_marks" (
	"mode" text PRIMARY KEY NOT NULL,
	"fetched_until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"outcome" text,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"live" boolean,
	"session_id" text,
	"payment_id" text,
	"customer_id" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "payment_profiles" (
	"account_id" text NOT NULL,
	"mode" text NOT NULL,
	"customer_id" text NOT NULL,
	"payment_method_id" text,
	"card_brand" text,
	"card_last4" text,
	"card_exp_month" smallint,
	"card_exp_year" smallint,
	"ticket" bigint DEFAULT 0 NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payment_profiles_account_id_mode_pk" PRIMARY KEY("account_id","mode")
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"account_id" text NOT NULL,
	"mode" text NOT NULL,
	"total_cents" integer NOT NULL,
	"credits_microusd" bigint NOT NULL,
	"fee_microusd" bigint NOT NULL,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"disputed_cents" integer DEFAULT 0 NOT NULL,
	"dispute_open" boolean DEFAULT false NOT NULL,
	"credited_microusd" bigint DEFAULT 0 NOT NULL,
	"refunded_microusd" bigint DEFAULT 0 NOT NULL,
	"disputed_microusd" bigint DEFAULT 0 NOT NULL,
	"entries" integer DEFAULT 0 NOT NULL,
	"ticket" bigint NOT NULL,
	"paid_with" text,
	"paid_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "payments_amounts_in_range" CHECK (credited_microusd between 0 and credits_microusd and refunded_microusd >= 0 and disputed_microusd >= 0
        and refunded_microusd + disputed_microusd <= credits_microusd),
	CONSTRAINT "payments_total_is_credits_and_fee" CHECK (total_cents * 10000::bigint = credits_microusd + fee_microusd)
);
--> statement-breakpoint
CREATE TABLE "refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"payment_id" text NOT NULL,
	"cents" integer NOT NULL,
	"reason" text NOT NULL,
	"created_by" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"provider_id" text,
	"problem" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "refunds_cents_above_zero" CHECK (cents > 0),
	CONSTRAINT "refunds_status_known" CHECK (status in ('open', 'done', 'refused')),
	CONSTRAINT "refunds_open_is_unfinished" CHECK ((status = 'open') = (finished_at is null))
);
--> statement-breakpoint
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
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE TABLE "promo_redemptions" (
	"id" text PRIMARY KEY NOT NULL,
	"promo_id" text NOT NULL,
	"user_id" text NOT NULL,
	"account_id" text NOT NULL,
	"inbox_hash" text NOT NULL,
	"amount_microusd" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "receipt_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_jwk" json NOT NULL,
	"sealed" text,
	"vault_key_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp with time zone,
	CONSTRAINT "receipt_keys_retired_has_no_secret" CHECK ((retired_at is null) = (sealed is not null)),
	CONSTRAINT "receipt_keys_sealed_by" CHECK ((sealed is null) = (vault_key_id is null))
);
--> statement-breakpoint
CREATE TABLE "retention_marks" (
	"what" text PRIMARY KEY NOT NULL,
	"kept_from" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reviews" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"tool" text NOT NULL,
	"rating" smallint NOT NULL,
	"review" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "reviews_rating_in_range" CHECK (rating between 1 and 5)
);
--> statement-breakpoint
CREATE TABLE "sign_up_invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "sign_up_invitations_email_lower" CHECK (email = lower(email))
);
--> statement-breakpoint
CREATE TABLE "sign_up_policy" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"policy" text NOT NULL,
	"domains" text[] DEFAULT '{}' NOT NULL,
	"updated_by" text NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sign_up_policy_one_row" CHECK (id),
	CONSTRAINT "sign_up_policy_known" CHECK (policy in ('open', 'invite', 'domains')),
	CONSTRAINT "sign_up_policy_has_domains" CHECK (policy <> 'domains' or cardinality(domains) > 0)
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"invited_by" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "invitations_role_known" CHECK (role in ('admin', 'member'))
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"delivery_id" text NOT NULL,
	"url" text NOT NULL,
	"request_headers" json NOT NULL,
	"status" integer,
	"response_body" text,
	"error" text,
	"duration_ms" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"holder_id" text NOT NULL,
	"url" text,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"payload" json NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now(),
	"expires_at" timestamp with time zone NOT NULL,
	"lease_expires_at" timestamp with time zone,
	"last_status" integer,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	"replays" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "webhook_deliveries_state_known" CHECK (state in ('pending', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_pending_is_due" CHECK ((state = 'pending') = (next_attempt_at is not null)),
	CONSTRAINT "webhook_deliveries_ended" CHECK ((state = 'pending') = (finished_at is null))
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"url" text NOT NULL,
	"description" text,
	"events" text[] NOT NULL,
	"disabled_at" timestamp with time zone,
	"disabled_reason" text,
	"failing_since" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_endpoints_reason" CHECK ((disabled_at is null) = (disabled_reason is null))
);
--> statement-breakpoint
CREATE TABLE "webhook_secrets" (
	"holder_id" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"previous_sealed" text,
	"previous_expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_secrets_previous_expires" CHECK ((previous_sealed is null) = (previous_expires_at is null))
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_owner_user_id_users_id_fk" FOREIGN KEY ("owner_user_id") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_plan_id_plans_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."plans"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_factors" ADD CONSTRAINT "second_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "call_content_settings" ADD CONSTRAINT "call_content_settings_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_skill_prices" ADD CONSTRAINT "imported_skill_prices_tool_imported_tools_name_fk" FOREIGN KEY ("tool") REFERENCES "public"."imported_tools"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_slots" ADD CONSTRAINT "imported_slots_tool_imported_tools_name_fk" FOREIGN KEY ("tool") REFERENCES "public"."imported_tools"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_details" ADD CONSTRAINT "billing_details_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_logs" ADD CONSTRAINT "job_logs_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_codes" ADD CONSTRAINT "oauth_codes_client_id_oauth_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_clients"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_codes" ADD CONSTRAINT "oauth_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_codes" ADD CONSTRAINT "oauth_codes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_client_id_oauth_clients_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oauth_clients"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oauth_tokens" ADD CONSTRAINT "oauth_tokens_grant_id_oauth_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."oauth_grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_profiles" ADD CONSTRAINT "payment_profiles_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "promo_redemptions" ADD CONSTRAINT "promo_redemptions_promo_id_promo_codes_id_fk" FOREIGN KEY ("promo_id") REFERENCES "public"."promo_codes"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_slug_unique" ON "accounts" USING btree ("slug");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_claim_token_hash_unique" ON "accounts" USING btree ("claim_token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_one_personal_per_user" ON "accounts" USING btree ("owner_user_id") WHERE type = 'personal';--> statement-breakpoint
CREATE INDEX "accounts_reload_wanted" ON "accounts" USING btree ("reload_wanted_at") WHERE reload_wanted_at is not null;--> statement-breakpoint
CREATE INDEX "accounts_plan" ON "accounts" USING btree ("plan_id") WHERE plan_id is not null;--> statement-breakpoint
CREATE INDEX "accounts_unclaimed" ON "accounts" USING btree ("created_at") WHERE type = 'provisional' and claimed_at is null;--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_one_owner" ON "memberships" USING btree ("account_id") WHERE role = 'owner';--> statement-breakpoint
CREATE INDEX "assets_account" ON "assets" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "assets_call" ON "assets" USING btree ("call_id") WHERE call_id is not null;--> statement-breakpoint
CREATE INDEX "assets_expiry" ON "assets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "assets_unfinished" ON "assets" USING btree ("created_at") WHERE stored_at is null or deleted_at is not null;--> statement-breakpoint
CREATE INDEX "audit_events_account" ON "audit_events" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "audit_events_actor" ON "audit_events" USING btree ("actor","id");--> statement-breakpoint
CREATE UNIQUE INDEX "email_changes_undo" ON "email_changes" USING btree ("undo_hash");--> statement-breakpoint
CREATE INDEX "email_changes_user" ON "email_changes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "email_changes_created" ON "email_changes" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "alert_messages_due" ON "alert_messages" USING btree ("due_at") WHERE sent_at is null;--> statement-breakpoint
CREATE INDEX "alert_messages_created" ON "alert_messages" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "incidents_created" ON "incidents" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "operator_alerts_open" ON "operator_alerts" USING btree ("cause") WHERE resolved_at is null;--> statement-breakpoint
CREATE INDEX "operator_alerts_resolved" ON "operator_alerts" USING btree ("resolved_at");--> statement-breakpoint
CREATE INDEX "usage_records_key" ON "usage_records" USING btree ("key_id","id");--> statement-breakpoint
CREATE INDEX "usage_records_tool" ON "usage_records" USING btree ("account_id","tool","id");--> statement-breakpoint
CREATE INDEX "usage_records_failed" ON "usage_records" USING btree ("account_id","id") WHERE status = 'error';--> statement-breakpoint
CREATE INDEX "usage_records_request" ON "usage_records" USING btree ("account_id","request_id","id") WHERE request_id <> '';--> statement-breakpoint
CREATE INDEX "usage_rollups_hour" ON "usage_rollups" USING brin ("hour") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX "call_contents_account" ON "call_contents" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "credentials_label_unique" ON "credentials" USING btree ("account_id","slot","label");--> statement-breakpoint
CREATE UNIQUE INDEX "credentials_one_default" ON "credentials" USING btree ("account_id","slot") WHERE is_default;--> statement-breakpoint
CREATE INDEX "credentials_vault_key" ON "credentials" USING btree ("vault_key_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_call" ON "idempotency_keys" USING btree ("call_id") WHERE call_id is not null;--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "imported_slots_tool" ON "imported_slots" USING btree ("tool");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_number_unique" ON "invoices" USING btree ("seller","test","year","sequence");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_one_per_payment" ON "invoices" USING btree ("payment_id") WHERE kind = 'invoice';--> statement-breakpoint
CREATE INDEX "invoices_payment" ON "invoices" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "invoices_account" ON "invoices" USING btree ("account_id","issued_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_call_unique" ON "jobs" USING btree ("call_id");--> statement-breakpoint
CREATE INDEX "jobs_account" ON "jobs" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "jobs_account_finished" ON "jobs" USING btree ("account_id","finished_at");--> statement-breakpoint
CREATE INDEX "jobs_finished" ON "jobs" USING btree ("finished_at") WHERE finished_at is not null;--> statement-breakpoint
CREATE INDEX "jobs_waiting" ON "jobs" USING btree ("fence") WHERE fence is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash_unique" ON "api_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_previous_hash_unique" ON "api_keys" USING btree ("previous_key_hash") WHERE previous_key_hash is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_one_playground" ON "api_keys" USING btree ("account_id") WHERE kind = 'playground';--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "api_keys_seeded" ON "api_keys" USING btree ("id") WHERE seeded;--> statement-breakpoint
CREATE INDEX "api_keys_origin" ON "api_keys" USING btree ("origin_account_id") WHERE origin_account_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "rate_windows_unique" ON "rate_windows" USING btree ("scope","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_kind_ref_unique" ON "ledger_entries" USING btree ("kind","ref");--> statement-breakpoint
CREATE INDEX "ledger_entries_account" ON "ledger_entries" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "ledger_entries_calls" ON "ledger_entries" USING btree ("account_id","created_at","amount_microusd") WHERE kind = 'call';--> statement-breakpoint
CREATE INDEX "ledger_entries_others" ON "ledger_entries" USING btree ("account_id","created_at","id") WHERE kind <> 'call';--> statement-breakpoint
CREATE INDEX "oauth_clients_last_used" ON "oauth_clients" USING btree ("last_used_at");--> statement-breakpoint
CREATE INDEX "oauth_codes_expiry" ON "oauth_codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "oauth_codes_client" ON "oauth_codes" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "oauth_codes_user" ON "oauth_codes" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "oauth_codes_account" ON "oauth_codes" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "oauth_grants_key" ON "oauth_grants" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "oauth_grants_user" ON "oauth_grants" USING btree ("user_id","client_id");--> statement-breakpoint
CREATE INDEX "oauth_grants_client" ON "oauth_grants" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "oauth_tokens_grant" ON "oauth_tokens" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "oauth_tokens_expiry" ON "oauth_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "reconcile_runs_created" ON "reconcile_runs" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_one_open_reload" ON "orders" USING btree ("account_id") WHERE kind = 'reload' and status = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "orders_session_unique" ON "orders" USING btree ("session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_challenge_unique" ON "orders" USING btree ("challenge_id");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_payment_unique" ON "orders" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "orders_account" ON "orders" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "orders_open" ON "orders" USING btree ("kind","created_at") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "outgoing_emails_due" ON "outgoing_emails" USING btree ("due_at") WHERE sent_at is null;--> statement-breakpoint
CREATE INDEX "payment_events_received" ON "payment_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "payment_events_failed" ON "payment_events" USING btree ("received_at") WHERE outcome is null and error is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payment_profiles_customer_unique" ON "payment_profiles" USING btree ("mode","customer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_order_unique" ON "payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payments_account" ON "payments" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE UNIQUE INDEX "plans_name_unique" ON "plans" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "promo_codes_code_unique" ON "promo_codes" USING btree ("code");--> statement-breakpoint
CREATE UNIQUE INDEX "promo_redemptions_once_per_person" ON "promo_redemptions" USING btree ("promo_id","user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "promo_redemptions_once_per_inbox" ON "promo_redemptions" USING btree ("promo_id","inbox_hash");--> statement-breakpoint
CREATE INDEX "promo_redemptions_promo" ON "promo_redemptions" USING btree ("promo_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_one_per_tool_and_account" ON "reviews" USING btree ("tool","account_id");--> statement-breakpoint
CREATE INDEX "reviews_account" ON "reviews" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "reviews_tool_newest" ON "reviews" USING btree ("tool","updated_at","id");--> statement-breakpoint
CREATE INDEX "reviews_tool_stars" ON "reviews" USING btree ("tool","rating","updated_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "sign_up_invitations_open" ON "sign_up_invitations" USING btree ("email") WHERE used_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_token_hash_unique" ON "invitations" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_one_open" ON "invitations" USING btree ("account_id","email") WHERE accepted_at is null and revoked_at is null;--> statement-breakpoint
CREATE INDEX "invitations_email" ON "invitations" USING btree ("email");--> statement-breakpoint
CREATE INDEX "tool_prices_tool" ON "tool_prices" USING btree ("tool","skill","id");--> statement-breakpoint
CREATE INDEX "webhook_attempts_delivery" ON "webhook_attempts" USING btree ("delivery_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_event_unique" ON "webhook_deliveries" USING btree ("holder_id","event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_holder" ON "webhook_deliveries" USING btree ("holder_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_account" ON "webhook_deliveries" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_attempt_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "webhook_deliveries" USING btree ("holder_id","next_attempt_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_leased" ON "webhook_deliveries" USING btree ("account_id") WHERE lease_expires_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_account" ON "webhook_endpoints" USING btree ("account_id","id");--> statement-breakpoint
-- Hot tables keep room on each page, so that updates stay heap-only.
ALTER TABLE "api_keys" SET (fillfactor = 60);--> statement-breakpoint
ALTER TABLE "accounts" SET (fillfactor = 60);--> statement-breakpoint
ALTER TABLE "idempotency_keys" SET (fillfactor = 60);--> statement-breakpoint
ALTER TABLE "usage_rollups" SET (fillfactor = 70);--> statement-breakpoint
-- Small, and every call inserts and deletes a row.
ALTER TABLE "calls" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 5000);
