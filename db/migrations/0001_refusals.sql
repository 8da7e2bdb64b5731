CREATE TABLE "refusal_minutes" (
	"account_id" text NOT NULL,
	"minute" timestamp with time zone NOT NULL,
	"key_id" text NOT NULL,
	"code" text NOT NULL,
	"limit_name" text NOT NULL,
	"tool" text NOT NULL,
	"refused" integer NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"retry_at" timestamp with time zone,
	"rules_version" integer NOT NULL,
	CONSTRAINT "refusal_minutes_pk" PRIMARY KEY("account_id","minute","key_id","code","limit_name","tool"),
	CONSTRAINT "refusal_minutes_refused_positive" CHECK (refused > 0)
);
--> statement-breakpoint
CREATE TABLE "refusals" (
	"account_id" text NOT NULL,
	"id" text NOT NULL,
	"key_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"request_id" text NOT NULL,
	"client_address" text,
	"tool" text NOT NULL,
	"skill" text NOT NULL,
	"code" text NOT NULL,
	"message" text NOT NULL,
	CONSTRAINT "refusals_account_id_id_pk" PRIMARY KEY("account_id","id")
);
--> statement-breakpoint
CREATE INDEX "refusal_minutes_key" ON "refusal_minutes" USING btree ("key_id","last_at");--> statement-breakpoint
CREATE INDEX "refusal_minutes_minute" ON "refusal_minutes" USING brin ("minute") WITH (autosummarize=true);--> statement-breakpoint
CREATE INDEX "refusals_at" ON "refusals" USING brin ("at") WITH (autosummarize=true);