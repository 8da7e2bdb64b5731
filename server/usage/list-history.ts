import type { z } from 'zod';
import { openMessage } from '../calls/contents/seal-message';
import type { Runtime } from '../core/runtime';
import type { Actor } from '../core/trpc/actor';
import { decodeCursor, toPage } from '../core/trpc/cursor';
import { chooseVisibleKey } from '../identity/keys/choose-visible-key';
import { ANY_TIME, listCalls } from './calls-store';
import { describeRecord } from './describe-record';
import { readKeyLabels } from './key-labels';
import type { UsageHistory, usageHistoryInput } from './schema';

/**
 * Lists ended calls, newest first, by page.
 * @throws GatewayError INVALID_INPUT for an invalid cursor, NOT_FOUND for a key the actor may not
 *   read
 */
export async function listHistory(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports'>,
  actor: Actor,
  query: z.infer<typeof usageHistoryInput>,
): Promise<UsageHistory> {
  const before = decodeCursor(query.cursor, 'call');
  const filter = {
    accountIds: [actor.accountId],
    keyId: await chooseVisibleKey(runtime, actor, query.key_id),
    tag: query.tag,
    requestId: query.request_id,
    errorCode: query.error_code,
  };
  const rows = await listCalls(runtime.db, filter, ANY_TIME, before, query.limit + 1);
  const { page, next_cursor } = toPage(rows, query.limit);
  const labels = await readKeyLabels(
    runtime,
    actor,
    page.map((row) => row.key_id),
  );
  const records = page.map((row) => {
    const key = labels(row.key_id);
    return describeRecord(row, key, key.is_yours ? openMessage(runtime, row.id, row.error_message) : null);
  });
  return { records, next_cursor };
}
