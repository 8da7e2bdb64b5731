-- Writes one event for one receiver into the queue of deliveries, in the transaction of what it
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
  INSERT INTO webhook_deliveries (id, account_id, holder_id, url, event_id, type, payload, expires_at, queued_at)
  VALUES (new_id('dlv'), p_account, p_holder, p_url, p_event, p_type,
    json_build_object('type', p_type, 'timestamp', to_iso(clock_timestamp()), 'data', p_data),
    clock_timestamp() + interval '24 hours', clock_timestamp())
  ON CONFLICT (holder_id, event_id) DO NOTHING RETURNING id INTO v_id;
  IF v_id IS NOT NULL THEN
    PERFORM pg_notify('gateway', 'webhooks');
  END IF;
  RETURN v_id;
END $$;
