-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "refusal_minutes_retry";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "refusal_minutes_retry" ON "refusal_minutes" USING btree ("account_id","retry_at") WHERE retry_at is not null;
