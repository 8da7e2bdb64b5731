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
	CONSTRAINT "orders_kind_known" CHECK (kind in ('checkout', 'reload', 'machine')),
	CONSTRAINT "orders_mode_known" CHECK (mode in ('live', 'test', 'standin', 'sandbox')),
	CONSTRAINT "orders_status_known" CHECK (status in ('open', 'paid', 'failed', 'expired')),
	CONSTRAINT "orders_open_is_unfinished" CHECK ((status = 'open') = (finished_at is null)),
	CONSTRAINT "orders_paid_has_payment" CHECK (status <> 'paid' or payment_id is not null),
	CONSTRAINT "orders_total_is_credits_and_fee" CHECK (credits_microusd > 0 and fee_microusd >= 0 and total_cents * 10000::bigint = credits_microusd + fee_microusd)
);
--> statement-breakpoint
CREATE TABLE "outgoing_mails" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outgoing_mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"account_id" text NOT NULL,
	"ref" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"outcome" text,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "payment_event_marks" (
	"mode" text PRIMARY KEY NOT NULL,
	"fetched_until" timestamp with time zone NOT NULL
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
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_kind_known";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "auto_reload_enabled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "reload_threshold_microusd" bigint DEFAULT 5000000 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "reload_amount_microusd" bigint DEFAULT 20000000 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "reload_wanted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "reload_failures" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "reload_not_before_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "reload_stopped_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "warn_below_microusd" bigint;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "disputed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "default_team_id" text;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_profiles" ADD CONSTRAINT "payment_profiles_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "orders_one_open_reload" ON "orders" USING btree ("account_id") WHERE kind = 'reload' and status = 'open';--> statement-breakpoint
CREATE UNIQUE INDEX "orders_session_unique" ON "orders" USING btree ("session_id");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_challenge_unique" ON "orders" USING btree ("challenge_id");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_payment_unique" ON "orders" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "orders_account" ON "orders" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "orders_open" ON "orders" USING btree ("kind","created_at") WHERE status = 'open';--> statement-breakpoint
CREATE INDEX "outgoing_mails_due" ON "outgoing_mails" USING btree ("due_at") WHERE sent_at is null;--> statement-breakpoint
CREATE INDEX "payment_events_received" ON "payment_events" USING btree ("received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "payment_profiles_customer_unique" ON "payment_profiles" USING btree ("mode","customer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_order_unique" ON "payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "payments_account" ON "payments" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_token_hash_unique" ON "invitations" USING btree ("token_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_one_open" ON "invitations" USING btree ("account_id","email") WHERE accepted_at is null and revoked_at is null;--> statement-breakpoint
CREATE INDEX "invitations_email" ON "invitations" USING btree ("email");--> statement-breakpoint
CREATE INDEX "accounts_reload_wanted" ON "accounts" USING btree ("reload_wanted_at") WHERE reload_wanted_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_one_owner" ON "memberships" USING btree ("account_id") WHERE role = 'owner';--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_debt_comes_first" CHECK (debt_microusd = 0 or balance_microusd = held_microusd);--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_reload_in_range" CHECK (reload_threshold_microusd >= 0 and reload_amount_microusd > 0);--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_kind_known" CHECK (kind in ('call', 'grant', 'claim_out', 'claim_in', 'purchase', 'refund', 'dispute'));