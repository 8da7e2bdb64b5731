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
CREATE TABLE "job_logs" (
	"job_id" text NOT NULL,
	"seq" integer NOT NULL,
	"message" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
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
	CONSTRAINT "jobs_status_known" CHECK (status in ('pending', 'running', 'completed', 'failed', 'cancelled')),
	CONSTRAINT "jobs_finished_is_final" CHECK ((status in ('completed', 'failed', 'cancelled')) = (finished_at is not null)),
	CONSTRAINT "jobs_completed_has_result" CHECK ((status = 'completed') = (result is not null))
);
--> statement-breakpoint
ALTER TABLE "job_logs" ADD CONSTRAINT "job_logs_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_keys_call" ON "idempotency_keys" USING btree ("call_id") WHERE call_id is not null;--> statement-breakpoint
CREATE INDEX "idempotency_keys_running" ON "idempotency_keys" USING btree ("fence") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_call_unique" ON "jobs" USING btree ("call_id");--> statement-breakpoint
CREATE INDEX "jobs_account" ON "jobs" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "jobs_finished" ON "jobs" USING btree ("finished_at") WHERE finished_at is not null;--> statement-breakpoint
CREATE INDEX "jobs_waiting" ON "jobs" USING btree ("fence") WHERE fence is not null;