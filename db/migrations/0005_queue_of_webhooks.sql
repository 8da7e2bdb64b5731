ALTER TABLE "webhook_deliveries" ADD COLUMN "queued_at" timestamp with time zone;
