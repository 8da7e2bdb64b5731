CREATE TABLE "imported_skill_prices" (
	"tool" text NOT NULL,
	"skill" text NOT NULL,
	"fee_microusd" bigint NOT NULL,
	"provider_cost_microusd" bigint NOT NULL,
	CONSTRAINT "imported_skill_prices_tool_skill_pk" PRIMARY KEY("tool","skill"),
	CONSTRAINT "imported_skill_prices_range" CHECK ("imported_skill_prices"."fee_microusd" >= 0 and "imported_skill_prices"."provider_cost_microusd" >= 0)
);
--> statement-breakpoint
CREATE TABLE "imported_slots" (
	"slot" text PRIMARY KEY NOT NULL,
	"tool" text NOT NULL,
	"carrier" json NOT NULL,
	"display_name" text NOT NULL,
	"description" text NOT NULL,
	"acquire_url" text NOT NULL,
	"setup_guide" text NOT NULL,
	"sealed" text,
	"vault_key_id" text,
	"version" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "imported_tools" (
	"name" text PRIMARY KEY NOT NULL,
	"source" json NOT NULL,
	"presentation" json NOT NULL,
	"version" text NOT NULL,
	"definition" json NOT NULL,
	"definition_hash" text NOT NULL,
	"pending_definition" json,
	"changed_at" timestamp with time zone,
	"problem" text,
	"disabled_at" timestamp with time zone,
	"connection" json,
	"allow_private" boolean DEFAULT false NOT NULL,
	"fee_microusd" bigint NOT NULL,
	"provider_cost_microusd" bigint NOT NULL,
	"revision" bigint DEFAULT 1 NOT NULL,
	"checked_at" timestamp with time zone,
	"checking_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "imported_tools_prices" CHECK ("imported_tools"."fee_microusd" >= 0 and "imported_tools"."provider_cost_microusd" >= 0)
);
--> statement-breakpoint
ALTER TABLE "imported_skill_prices" ADD CONSTRAINT "imported_skill_prices_tool_imported_tools_name_fk" FOREIGN KEY ("tool") REFERENCES "public"."imported_tools"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_slots" ADD CONSTRAINT "imported_slots_tool_imported_tools_name_fk" FOREIGN KEY ("tool") REFERENCES "public"."imported_tools"("name") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "imported_slots_tool" ON "imported_slots" USING btree ("tool");