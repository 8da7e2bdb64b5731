CREATE TABLE "assets" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"call_id" text,
	"tool" text,
	"skill" text,
	"filename" text NOT NULL,
	"content_type" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"sha256" text,
	"blob_key" text NOT NULL,
	"thumbnail_key" text,
	"thumbnail_bytes" integer,
	"stored_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "assets_size_not_negative" CHECK (size_bytes >= 0),
	CONSTRAINT "assets_stored_is_hashed" CHECK ((stored_at is null) = (sha256 is null))
);
--> statement-breakpoint
CREATE TABLE "credentials" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"slot" text NOT NULL,
	"label" text NOT NULL,
	"is_default" boolean NOT NULL,
	"sealed" text NOT NULL,
	"vault_key_id" text NOT NULL,
	"version" integer NOT NULL,
	"mask" text NOT NULL,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "credentials_version_positive" CHECK (version > 0)
);
--> statement-breakpoint
CREATE TABLE "queued_call_states" (
	"call_id" text PRIMARY KEY NOT NULL,
	"slot" text,
	"source" text,
	"sealed_key" text,
	"checkpoint" json,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "credentials" ADD CONSTRAINT "credentials_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "assets_account" ON "assets" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "assets_call" ON "assets" USING btree ("call_id") WHERE call_id is not null;--> statement-breakpoint
CREATE INDEX "assets_expiry" ON "assets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "assets_unfinished" ON "assets" USING btree ("created_at") WHERE stored_at is null or deleted_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "credentials_label_unique" ON "credentials" USING btree ("account_id","slot","label");--> statement-breakpoint
CREATE UNIQUE INDEX "credentials_one_default" ON "credentials" USING btree ("account_id","slot") WHERE is_default;--> statement-breakpoint
CREATE INDEX "credentials_vault_key" ON "credentials" USING btree ("vault_key_id");