-- outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "usage_rollups_hour";--> statement-breakpoint
-- The sweep adds the hours that are over, of all accounts, to their days: without it, it would read all hours there are.
CREATE INDEX CONCURRENTLY "usage_rollups_hour" ON "usage_rollups" USING brin ("hour") WITH (autosummarize = on);
