-- A kept answer stays on the page of its request.
ALTER TABLE "idempotency_keys" SET (fillfactor = 60);
