import type { Runtime } from '../core/runtime';
import type { Actor } from '../core/trpc/actor';
import { decodeCursor, encodeCursor } from '../core/trpc/cursor';
import { chooseVisibleKey } from '../identity/keys/choose-visible-key';
import { usdFromMicrousd } from '../kit/money';
import type { UsageHistory, UsageRecord } from './schema';
import { type HistoryRow, listRecords } from './store';

/**
 * Lists ended calls, newest first, by page.
 * @throws GatewayError INVALID_INPUT for an invalid cursor, NOT_FOUND for a key the actor may not
 *   read
 */
export async function listHistory(
  runtime: Pick<Runtime, 'db'>,
  actor: Actor,
  query: {
    key_id?: string | undefined;
    tag?: string | undefined;
    request_id?: string | undefined;
    error_code?: string | undefined;
    limit: number;
    cursor?: string | undefined;
  },
): Promise<UsageHistory> {
  const before = query.cursor === undefined ? undefined : decodeCursor(query.cursor, 'call');
  const scope = {
    accountId: actor.accountId,
    keyId: await chooseVisibleKey(runtime, actor, query.key_id),
    tag: query.tag,
    requestId: query.request_id,
    errorCode: query.error_code,
  };
  const rows = await listRecords(runtime.db, scope, before, query.limit + 1);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    records: page.map(describeRecord),
    next_cursor: rows.length > query.limit && last ? encodeCursor(last.id) : null,
  };
}

function describeRecord(row: HistoryRow): UsageRecord {
  return {
    id: row.id,
    created_at: new Date(row.created_ms).toISOString(),
    tool: row.tool,
    skill: row.skill,
    status: row.status,
    cost_usd: usdFromMicrousd(row.raw + row.markup),
    raw_cost_usd: usdFromMicrousd(row.raw),
    markup_usd: usdFromMicrousd(row.markup),
    billing: row.billing,
    byok: row.byok,
    key_id: row.key_id,
    key_name: row.key_name ?? 'Deleted key',
    latency_ms: row.latency_ms,
    job_id: row.job_id,
    error_code: row.error_code,
    error_message: row.error_message,
    request_id: row.request_id,
  };
}
