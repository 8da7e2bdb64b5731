import { arrayLiteral } from '@/db/array-literal';
import type { Sql } from '@/db/client';
import { bigint, defineRow, type RowOf, text } from '@/db/rows';
import type { Microusd } from '../../kit/money';

/** One ended call. */
export interface CloseRequest {
  id: string;
  keyId: string;
  success: boolean;
  markup: Microusd;
  raw: Microusd;
  byok: boolean;
  errorCode: string | null;
  latencyMs: number;
}

export interface CloseResult {
  /**
   * `closed`: by this statement; `success` or `error`: already closed with that result; `lost`:
   * unknown call.
   */
  state: 'closed' | 'success' | 'error' | 'lost';
  available: Microusd | null;
}

const closeRow = defineRow({
  id: text(),
  state: text<CloseResult['state']>(),
  available: bigint().nullable(),
});
export type CloseRow = RowOf<typeof closeRow>;

/**
 * Settles or releases a group of calls in one statement and one commit, each call once.
 * @param fence the process that opened them; null closes only calls with an expired lease
 */
export async function closeCalls(
  sql: Sql,
  requests: CloseRequest[],
  fence: string | null,
): Promise<CloseResult[]> {
  const rows = await closeRow.read(sql`
    select * from close_calls(${closeArguments(sql, requests)}, ${fence}::text)`);
  return readClosed(requests, rows);
}

export function closeArguments(sql: Sql, requests: CloseRequest[]) {
  return sql`
    ${arrayLiteral(requests.map((r) => r.id))}::text[],
    ${arrayLiteral(requests.map((r) => r.keyId))}::text[],
    ${arrayLiteral(requests.map((r) => r.success))}::boolean[],
    ${arrayLiteral(requests.map((r) => r.markup))}::bigint[],
    ${arrayLiteral(requests.map((r) => r.raw))}::bigint[],
    ${arrayLiteral(requests.map((r) => r.byok))}::boolean[],
    ${arrayLiteral(requests.map((r) => r.errorCode))}::text[],
    ${arrayLiteral(requests.map((r) => Math.round(r.latencyMs)))}::int[]`;
}

export function readClosed(requests: CloseRequest[], rows: readonly CloseRow[]): CloseResult[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return requests.map((request) => {
    const row = byId.get(request.id);
    return row ? { state: row.state, available: row.available } : { state: 'lost', available: null };
  });
}

/** One ended call that may be a job or have an Idempotency-Key. */
export interface FinishRequest extends CloseRequest {
  /** The error text of the job. */
  error: string | null;
  /**
   * JSON: the ToolCallResult of a success or the error body of a failure; stored as the response.
   */
  result: string;
}

/** Like closeCalls, and in the same commit ends the jobs and stores the responses. */
export async function finishCalls(
  sql: Sql,
  requests: FinishRequest[],
  fence: string,
): Promise<CloseResult[]> {
  const rows = await closeRow.read(sql`
    select * from finish_calls(${closeArguments(sql, requests)},
      ${arrayLiteral(requests.map((r) => r.error))}::text[],
      ${arrayLiteral(requests.map((r) => r.result))}::text[], ${fence}::text)`);
  return readClosed(requests, rows);
}
