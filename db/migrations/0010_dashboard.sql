ALTER TABLE "api_keys" ADD COLUMN "kind" text DEFAULT 'api' NOT NULL;--> statement-breakpoint
CREATE INDEX "usage_records_tool" ON "usage_records" USING btree ("account_id","tool","id");--> statement-breakpoint
CREATE INDEX "usage_records_failed" ON "usage_records" USING btree ("account_id","id") WHERE status = 'error';--> statement-breakpoint
CREATE INDEX "jobs_account_finished" ON "jobs" USING btree ("account_id","finished_at");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_one_playground" ON "api_keys" USING btree ("account_id") WHERE kind = 'playground';--> statement-breakpoint
CREATE INDEX "reviews_tool_newest" ON "reviews" USING btree ("tool","updated_at","id");--> statement-breakpoint
CREATE INDEX "reviews_tool_stars" ON "reviews" USING btree ("tool","rating","updated_at","id");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_kind_known" CHECK (kind in ('api', 'playground'));