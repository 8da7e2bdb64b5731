-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "calls_lost";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "calls_lost" ON "calls" USING btree ("account_id","lease_expires_at") WHERE fence = 'alone';