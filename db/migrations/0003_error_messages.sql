ALTER TABLE "usage_records" ADD COLUMN "error_message" text;--> statement-breakpoint
ALTER TABLE "usage_records" ADD COLUMN "hold_microusd" bigint;--> statement-breakpoint
ALTER TYPE "recorded_call" ADD ATTRIBUTE "error_message" text;
