CREATE TABLE "usage_days" (
	"account_id" text NOT NULL,
	"day" timestamp with time zone NOT NULL,
	"key_id" text NOT NULL,
	"tool" text NOT NULL,
	"calls" integer NOT NULL,
	"failed" integer NOT NULL,
	"byok_calls" integer NOT NULL,
	"raw_cost_microusd" bigint NOT NULL,
	"markup_microusd" bigint NOT NULL,
	"latency_ms_sum" bigint NOT NULL,
	CONSTRAINT "usage_days_account_id_day_key_id_tool_pk" PRIMARY KEY("account_id","day","key_id","tool")
);
