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
	CONSTRAINT "accounts_type_known" CHECK (type in ('provisional', 'personal', 'team')),
	CONSTRAINT "accounts_held_within_balance" CHECK (balance_microusd >= held_microusd and held_microusd >= 0),
	CONSTRAINT "accounts_debt_not_negative" CHECK (debt_microusd >= 0),
	CONSTRAINT "accounts_month_spent_not_negative" CHECK (month_spent_microusd >= 0),
	CONSTRAINT "accounts_provisional_has_no_owner" CHECK ((type = 'provisional') = (owner_user_id is null))
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"account_id" text NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memberships_account_id_user_id_pk" PRIMARY KEY("account_id","user_id"),
	CONSTRAINT "memberships_role_known" CHECK (role in ('owner', 'admin', 'member'))
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"id" text PRIMARY KEY NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"account_id" text,
	"target" text,
	"details" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
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
CREATE TABLE "sessions" (
	"session_token" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"expires" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text,
	"email" text NOT NULL,
	"email_verified" timestamp with time zone,
	"image" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
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
	CONSTRAINT "calls_hold_not_negative" CHECK (hold_microusd >= 0)
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
	CONSTRAINT "usage_records_account_id_id_pk" PRIMARY KEY("account_id","id"),
	CONSTRAINT "usage_records_status_known" CHECK (status in ('success', 'error')),
	CONSTRAINT "usage_records_failure_is_free" CHECK (status = 'success' or raw_cost_microusd + markup_microusd = 0),
	CONSTRAINT "usage_records_cost_not_negative" CHECK (raw_cost_microusd >= 0 and markup_microusd >= 0)
);
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
	CONSTRAINT "usage_rollups_account_id_hour_key_id_tool_pk" PRIMARY KEY("account_id","hour","key_id","tool")
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
	"minute_started_at" timestamp with time zone,
	"minute_used" integer DEFAULT 0 NOT NULL,
	"hour_started_at" timestamp with time zone,
	"hour_used" integer DEFAULT 0 NOT NULL,
	"running" integer DEFAULT 0 NOT NULL,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_credits_not_negative" CHECK (credits_microusd is null or credits_microusd >= 0),
	CONSTRAINT "api_keys_used_not_negative" CHECK (credits_used_microusd >= 0 and credits_held_microusd >= 0),
	CONSTRAINT "api_keys_within_credits" CHECK (credits_microusd is null or credits_used_microusd + credits_held_microusd <= credits_microusd),
	CONSTRAINT "api_keys_running_not_negative" CHECK (running >= 0 and minute_used >= 0 and hour_used >= 0)
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
	CONSTRAINT "ledger_entries_kind_known" CHECK (kind in ('call', 'grant', 'claim_out', 'claim_in'))
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
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_owner_user_id_users_id_fk" FOREIGN KEY ("owner_user_id") REFERENCES "public"."users"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_slug_unique" ON "accounts" USING btree ("slug");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_claim_token_hash_unique" ON "accounts" USING btree ("claim_token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_one_personal_per_user" ON "accounts" USING btree ("owner_user_id") WHERE type = 'personal';--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "audit_events_account" ON "audit_events" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "usage_records_key" ON "usage_records" USING btree ("key_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash_unique" ON "api_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "api_keys_origin" ON "api_keys" USING btree ("origin_account_id") WHERE origin_account_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "rate_windows_unique" ON "rate_windows" USING btree ("scope","subject");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_entries_kind_ref_unique" ON "ledger_entries" USING btree ("kind","ref");--> statement-breakpoint
CREATE INDEX "ledger_entries_account" ON "ledger_entries" USING btree ("account_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "reviews_one_per_tool_and_account" ON "reviews" USING btree ("tool","account_id");--> statement-breakpoint
CREATE INDEX "reviews_account" ON "reviews" USING btree ("account_id");