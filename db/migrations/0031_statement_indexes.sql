-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "ledger_entries_calls";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "ledger_entries_calls" ON "ledger_entries" USING btree ("account_id","created_at","amount_microusd") WHERE kind = 'call';--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "ledger_entries_others";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "ledger_entries_others" ON "ledger_entries" USING btree ("account_id","created_at","id") WHERE kind <> 'call';
