-- small: payments as many rows as purchases
CREATE SEQUENCE "receipt_numbers";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "receipt_number" integer;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "customer" jsonb;--> statement-breakpoint
-- Receipts showed the details of the moment: those of today stay.
UPDATE "payments" SET "customer" = jsonb_build_object('account', a."name", 'company', d."company_name", 'address', d."address", 'vat_id', d."vat_id")
FROM "accounts" a, "billing_details" d
WHERE a."id" = "payments"."account_id" AND d."account_id" = a."id" AND concat(d."company_name", d."address", d."vat_id") <> '';
