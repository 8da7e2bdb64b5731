-- Records ended calls: the usage record, the ledger entry of what was charged, and the hour's
-- roll-up. The caller holds the locks of the keys, so no other transaction changes their roll-ups.
-- p_now is finished_at of all of them.
CREATE OR REPLACE FUNCTION record_calls(p_calls recorded_call[], p_now timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  WITH ended AS (
    SELECT * FROM unnest(p_calls)
  ), records AS (
    INSERT INTO usage_records (account_id, id, key_id, billing, tool, skill, status, raw_cost_microusd, markup_microusd,
      byok, latency_ms, error_code, created_at, finished_at, request_id, client_address, error_message, hold_microusd, job_id)
    SELECT e.account_id, e.id, e.key_id, e.billing, e.tool, e.skill, CASE WHEN e.success THEN 'success' ELSE 'error' END,
      e.raw_microusd, e.markup_microusd, e.byok, e.latency_ms, e.error_code, e.created_at, p_now, e.request_id, e.client_address,
      e.error_message, nullif(e.hold_microusd, e.raw_microusd + e.markup_microusd), e.job_id
    FROM ended e
  ), entries AS (
    INSERT INTO ledger_entries (kind, ref, account_id, counter_account, amount_microusd, created_at)
    SELECT 'call', e.id, e.account_id, 'revenue', -(e.markup_microusd + e.raw_microusd), p_now
    FROM ended e WHERE e.markup_microusd + e.raw_microusd > 0
  )
  INSERT INTO usage_rollups AS r (account_id, hour, key_id, tool, calls, failed, refused, byok_calls, raw_cost_microusd,
    markup_microusd, latency_ms_sum)
  SELECT e.account_id, date_trunc('hour', p_now, 'UTC'), e.key_id, e.tool, count(*), count(*) FILTER (WHERE NOT e.success),
    count(*) FILTER (WHERE NOT e.success AND (e.byok OR e.error_code <> 'HANDLER_ERROR')), count(*) FILTER (WHERE e.byok),
    sum(e.raw_microusd), sum(e.markup_microusd), sum(e.latency_ms)
  FROM ended e GROUP BY e.account_id, e.key_id, e.tool ORDER BY e.account_id, e.key_id, e.tool
  ON CONFLICT (account_id, hour, key_id, tool) DO UPDATE SET
    calls = r.calls + excluded.calls,
    failed = r.failed + excluded.failed,
    refused = r.refused + excluded.refused,
    byok_calls = r.byok_calls + excluded.byok_calls,
    raw_cost_microusd = r.raw_cost_microusd + excluded.raw_cost_microusd,
    markup_microusd = r.markup_microusd + excluded.markup_microusd,
    latency_ms_sum = r.latency_ms_sum + excluded.latency_ms_sum;
END $$;
