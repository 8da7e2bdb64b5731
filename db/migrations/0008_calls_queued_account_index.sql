-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "calls_queued_account";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "calls_queued_account" ON "calls" USING btree ("account_id","lease_expires_at") WHERE fence = 'queue';
