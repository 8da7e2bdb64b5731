-- contract: orders the new check allows all that the old one did
ALTER TABLE "orders" DROP CONSTRAINT "orders_mode_known";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "prepaid" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "sealed_payment" text;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_mode_known" CHECK (mode in ('live', 'test', 'standin', 'sandbox', 'x402'));