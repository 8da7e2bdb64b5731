-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "webhook_deliveries_queued";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "webhook_deliveries_queued" ON "webhook_deliveries" USING btree ("queued_at") WHERE queued_at is not null;
