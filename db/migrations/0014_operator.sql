-- small: audit_events one line for each act of an operator, a few thousand a year
-- small: payment_events rows of the last 90 days, one for each event of the payment provider
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
ALTER TABLE "audit_events" ADD COLUMN "request_id" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "verified_email" text;--> statement-breakpoint
ALTER TABLE "outgoing_mails" ADD COLUMN "error" text;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "live" boolean;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "session_id" text;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "payment_id" text;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "customer_id" text;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_events" ADD COLUMN "error" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reconcile_runs_created" ON "reconcile_runs" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "audit_events_actor" ON "audit_events" USING btree ("actor","id");--> statement-breakpoint
CREATE INDEX "payment_events_failed" ON "payment_events" USING btree ("received_at") WHERE outcome is null and error is not null;