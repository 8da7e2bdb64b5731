-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "webhook_deliveries_queued_account";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "webhook_deliveries_queued_account" ON "webhook_deliveries" USING btree ("account_id","queued_at") WHERE queued_at is not null;
