import type { Sql } from '@/db/client';
import { jsonRows, type RecordedCallRow } from '@/db/json-rows';
import { bigint, defineRow, text } from '@/db/rows';
import type { GatewayError } from '../../core/errors/gateway-error';
import type { Microusd } from '../../kit/money';

/** How a call ended, and what it is charged. */
export interface Settlement {
  id: string;
  keyId: string;
  markup: Microusd;
  raw: Microusd;
  byok: boolean;
  /** Null on success. */
  errorCode: string | null;
  /** Of a failure. The flush removes secrets and shortens it. */
  errorMessage?: string | undefined;
  /** Whether its account stores contents: then the flush seals the message. */
  sealsMessage?: boolean;
  latencyMs: number;
}

/** One ended call. */
export interface EndRequest extends Settlement {
  success: boolean;
  /** Of a call that may be a job or has an Idempotency-Key. */
  response: EndResponse | null;
}

/** What is stored with the end of a call, for later reads. */
export interface EndResponse {
  /** The error text of the job. */
  error: string | null;
  /** JSON: the ToolCallResult of a success or the error body of a failure. */
  result: string;
}

/** The end of a call that has not run here, without a charge. */
export function endWithError(
  { id, keyId }: Pick<Settlement, 'id' | 'keyId'>,
  { code, message }: GatewayError,
  result: string,
): EndRequest {
  const nothing = { success: false, markup: 0n, raw: 0n, byok: false, latencyMs: 0 };
  const response = { error: message, result };
  return { id, keyId, errorCode: code, errorMessage: message, response, ...nothing };
}

export interface EndResult {
  /**
   * `closed`: by this statement; `success` or `error`: already closed with that result; `lost`:
   * unknown call.
   */
  state: 'closed' | 'success' | 'error' | 'lost';
  available: Microusd | null;
}

const endRow = defineRow({
  id: text(),
  state: text<EndResult['state']>(),
  available: bigint().nullable(),
});

/**
 * Settles or releases a group of calls in one statement and one commit, each call once. In the same
 * commit it ends the jobs and stores the responses.
 * @param fence the process that opened them; null ends only calls with an expired lease
 */
export async function endCalls(sql: Sql, requests: EndRequest[], fence: string | null): Promise<EndResult[]> {
  const responses = requests.flatMap(({ id, response }) => (response ? [{ call_id: id, ...response }] : []));
  const rows = await endRow.read(sql`
    select * from end_calls(${jsonRows(requests.map(toEndRow))}::text::json,
      ${responses.length > 0 ? jsonRows(responses) : null}::text::json, ${fence}::text)`);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return requests.map((request) => {
    const row = byId.get(request.id);
    return row ? { state: row.state, available: row.available } : { state: 'lost', available: null };
  });
}

function toEndRow(request: EndRequest) {
  return { id: request.id, key_id: request.keyId, byok: request.byok, ...toSettledRow(request) };
}

export function toSettledRow(request: Omit<Settlement, 'byok'>) {
  return {
    success: request.errorCode === null,
    markup_microusd: String(request.markup),
    raw_microusd: String(request.raw),
    error_code: request.errorCode,
    error_message: request.errorMessage,
    latency_ms: Math.round(request.latencyMs),
  } satisfies Partial<RecordedCallRow>;
}
