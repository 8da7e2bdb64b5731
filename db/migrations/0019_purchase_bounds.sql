ALTER TABLE "accounts" ADD COLUMN "reload_daily_limit_microusd" bigint DEFAULT 500000000 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "reload_stopped_reason" text;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "manages_account" boolean DEFAULT true NOT NULL;