CREATE TABLE "webhook_attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"delivery_id" text NOT NULL,
	"url" text NOT NULL,
	"request_headers" json NOT NULL,
	"status" integer,
	"response_body" text,
	"error" text,
	"duration_ms" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"holder_id" text NOT NULL,
	"url" text,
	"event_id" text NOT NULL,
	"type" text NOT NULL,
	"payload" json NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone DEFAULT now(),
	"expires_at" timestamp with time zone NOT NULL,
	"lease_expires_at" timestamp with time zone,
	"last_status" integer,
	"last_error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "webhook_deliveries_state_known" CHECK (state in ('pending', 'delivered', 'failed')),
	CONSTRAINT "webhook_deliveries_pending_is_due" CHECK ((state = 'pending') = (next_attempt_at is not null)),
	CONSTRAINT "webhook_deliveries_ended" CHECK ((state = 'pending') = (finished_at is null))
);--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"url" text NOT NULL,
	"description" text,
	"events" text[] NOT NULL,
	"disabled_at" timestamp with time zone,
	"disabled_reason" text,
	"failing_since" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_endpoints_reason" CHECK ((disabled_at is null) = (disabled_reason is null))
);--> statement-breakpoint
CREATE TABLE "webhook_secrets" (
	"holder_id" text PRIMARY KEY NOT NULL,
	"sealed" text NOT NULL,
	"previous_sealed" text,
	"previous_expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_secrets_previous_expires" CHECK ((previous_sealed is null) = (previous_expires_at is null))
);--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "webhook_url" text;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_attempts_delivery" ON "webhook_attempts" USING btree ("delivery_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_event_unique" ON "webhook_deliveries" USING btree ("holder_id","event_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_holder" ON "webhook_deliveries" USING btree ("holder_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_account" ON "webhook_deliveries" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_created" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_attempt_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "webhook_deliveries" USING btree ("holder_id","next_attempt_at") WHERE state = 'pending';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_leased" ON "webhook_deliveries" USING btree ("account_id") WHERE lease_expires_at is not null;--> statement-breakpoint
CREATE INDEX "webhook_endpoints_account" ON "webhook_endpoints" USING btree ("account_id","id");--> statement-breakpoint
-- An id as newId (server/kit/ids.ts) creates it: the prefix, ten characters of time, sixteen random
-- ones, in Crockford base 32.
CREATE OR REPLACE FUNCTION new_id(p_prefix text) RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT p_prefix || '_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', c.digit + 1, 1), '' ORDER BY c.place)
  FROM (
    SELECT i AS place, ((extract(epoch FROM clock_timestamp()) * 1000)::bigint >> (5 * (9 - i)) & 31)::int AS digit
    FROM generate_series(0, 9) AS i
    UNION ALL
    SELECT 10 + i, get_byte(r.bytes, i) & 31
    FROM generate_series(0, 15) AS i, (SELECT uuid_send(gen_random_uuid()) AS bytes) r
  ) c
$$;--> statement-breakpoint
-- A time as the API writes it: ISO 8601 in UTC, with milliseconds.
CREATE OR REPLACE FUNCTION to_iso(p_at timestamptz) RETURNS text LANGUAGE sql STABLE
RETURN to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');--> statement-breakpoint
-- Writes one event for one receiver and its job in the queue, in the transaction of what the event
-- reports. p_holder: the endpoint, or the key of a call with a `webhook`, whose URL is p_url.
CREATE OR REPLACE FUNCTION enqueue_webhook(
  p_account text,
  p_holder text,
  p_url text,
  p_event text,
  p_type text,
  p_data json
) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
  v_id text;
BEGIN
  INSERT INTO webhook_deliveries (id, account_id, holder_id, url, event_id, type, payload, expires_at)
  VALUES (new_id('dlv'), p_account, p_holder, p_url, p_event, p_type,
    json_build_object('type', p_type, 'timestamp', to_iso(clock_timestamp()), 'data', p_data),
    clock_timestamp() + interval '24 hours')
  ON CONFLICT (holder_id, event_id) DO NOTHING RETURNING id INTO v_id;
  IF v_id IS NOT NULL THEN
    PERFORM graphile_worker.add_job('deliver_webhook', json_build_object('deliveryId', v_id), job_key := v_id);
  END IF;
  RETURN v_id;
END $$;--> statement-breakpoint
-- Writes an event for each endpoint of the account that wants its type; events of a team go to the
-- endpoints of its owner. p_dedupe: what has this event only once; null for events without it.
CREATE OR REPLACE FUNCTION emit_webhook(p_account text, p_type text, p_data json, p_dedupe text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  v_event text;
  v_row record;
BEGIN
  FOR v_row IN
    SELECT e.id, e.account_id FROM webhook_endpoints e
    WHERE e.account_id IN (
        SELECT p_account
        UNION SELECT p.id FROM accounts t JOIN accounts p ON p.owner_user_id = t.owner_user_id AND p.type = 'personal'
          WHERE t.id = p_account AND t.type = 'team'
      ) AND e.disabled_at IS NULL AND p_type = ANY (e.events)
    ORDER BY e.id
  LOOP
    v_event := coalesce(v_event, CASE WHEN p_dedupe IS NULL THEN new_id('msg')
      ELSE 'msg_' || left(encode(sha256(convert_to(p_account || ' ' || p_type || ' ' || p_dedupe, 'UTF8')), 'hex'), 26) END);
    PERFORM enqueue_webhook(v_row.account_id, v_row.id, NULL, v_event, p_type, p_data);
  END LOOP;
END $$;--> statement-breakpoint
-- Trigger: notifies the processes of money work, and queues the low-balance email and event once
-- when the warning threshold is crossed.
CREATE OR REPLACE FUNCTION account_fell_low() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.warn_below_microusd IS NOT NULL AND NEW.warn_below_microusd IS NULL THEN
    INSERT INTO outgoing_mails (kind, account_id) VALUES ('low_balance', NEW.id);
    PERFORM emit_webhook(NEW.id, 'balance.low', json_build_object(
      'account_id', NEW.id,
      'available_usd', greatest(NEW.balance_microusd - NEW.held_microusd - NEW.debt_microusd, 0) / 1000000.0,
      'threshold_usd', OLD.warn_below_microusd / 1000000.0
    ), NULL);
  END IF;
  PERFORM pg_notify('gateway', 'money');
  RETURN NULL;
END $$;--> statement-breakpoint
-- Writes spending_limit.reached after a call was refused: once for each month and limit.
CREATE OR REPLACE FUNCTION emit_spending_limit(p_account text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_account accounts%ROWTYPE;
  v_month timestamptz := date_trunc('month', clock_timestamp(), 'UTC');
BEGIN
  SELECT a.* INTO v_account FROM accounts a WHERE a.id = p_account AND a.budget_limit_microusd IS NOT NULL;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  PERFORM emit_webhook(p_account, 'spending_limit.reached', json_build_object(
    'account_id', p_account,
    'budget_limit_usd', v_account.budget_limit_microusd / 1000000.0,
    'spent_this_month_usd', CASE WHEN v_account.month_start = (v_month AT TIME ZONE 'UTC')::date
      THEN v_account.month_spent_microusd ELSE 0 END / 1000000.0,
    'resets_at', to_iso(date_trunc('month', v_month + interval '32 days', 'UTC'))
  ), to_iso(v_month) || ' ' || v_account.budget_limit_microusd);
END $$;--> statement-breakpoint
-- Trigger: writes the event of a job that ended, however it ended, for the endpoints of its account
-- and the `webhook` of its call.
CREATE OR REPLACE FUNCTION job_ended() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_type text := 'job.' || NEW.status;
  v_data json;
BEGIN
  v_data := json_build_object('job_id', NEW.id, 'status', NEW.status, 'tool', NEW.tool, 'skill', NEW.skill,
    'key_id', NEW.key_id, 'billing', NEW.billing, 'error', NEW.error, 'error_code', NEW.error_code,
    'created_at', to_iso(NEW.created_at), 'finished_at', to_iso(NEW.finished_at));
  PERFORM emit_webhook(NEW.account_id, v_type, v_data, NEW.id);
  IF NEW.webhook_url IS NOT NULL THEN
    PERFORM enqueue_webhook(NEW.account_id, NEW.key_id, NEW.webhook_url, new_id('msg'), v_type, v_data);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER jobs_ended AFTER UPDATE OF finished_at ON "jobs" FOR EACH ROW
WHEN (OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL) EXECUTE FUNCTION job_ended();
