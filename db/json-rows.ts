/** The SQL type recorded_call in JSON. Money is text, because a JSON number has no exact bigint. */
export interface RecordedCallRow {
  id: string;
  key_id: string;
  account_id: string;
  billing: string;
  tool: string;
  skill: string;
  success: boolean;
  raw_microusd: string;
  markup_microusd: string;
  hold_microusd: string;
  byok: boolean;
  error_code: string | null;
  latency_ms: number;
  created_at: string;
  request_id: string | null | undefined;
  client_address: string | null | undefined;
  rules_version: number;
  error_message: string | null | undefined;
  /** Of a call that ended as it became a job; end_calls finds the others. */
  job_id?: string | null;
}

type Field = string | number | boolean | null | undefined;

/**
 * Formats the rows of a `json` parameter, which SQL reads by name. Send it as `::text::json`; an
 * undefined field is null.
 */
export function jsonRows(rows: readonly Readonly<Record<string, Field>>[]): string {
  const json = JSON.stringify(rows);
  // PostgreSQL refuses the escape of half a surrogate pair; as bytes it becomes U+FFFD.
  if (!json.includes('\\ud')) return json;
  return JSON.stringify(rows, (_, value) =>
    typeof value === 'string' ? Buffer.from(value).toString() : value,
  );
}
