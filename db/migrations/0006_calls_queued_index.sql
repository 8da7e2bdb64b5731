-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "calls_queued";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "calls_queued" ON "calls" USING btree ("lease_expires_at") WHERE fence = 'queue';
