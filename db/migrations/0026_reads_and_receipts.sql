CREATE TABLE "receipt_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_jwk" json NOT NULL,
	"sealed" text,
	"vault_key_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"retired_at" timestamp with time zone,
	CONSTRAINT "receipt_keys_retired_has_no_secret" CHECK ((retired_at is null) = (sealed is not null)),
	CONSTRAINT "receipt_keys_sealed_by" CHECK ((sealed is null) = (vault_key_id is null))
);
--> statement-breakpoint
ALTER TABLE "assets" ADD COLUMN "key_id" text;