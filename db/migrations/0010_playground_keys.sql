ALTER TABLE "api_keys" ADD COLUMN "kind" text DEFAULT 'api' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_one_playground" ON "api_keys" USING btree ("account_id") WHERE kind = 'playground';--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_kind_known" CHECK (kind in ('api', 'playground'));