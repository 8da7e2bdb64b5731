-- outside a transaction
-- Nothing looks for requests by their run; with it, each kept answer was written into all other indexes anew.
DROP INDEX CONCURRENTLY IF EXISTS "idempotency_keys_running";
