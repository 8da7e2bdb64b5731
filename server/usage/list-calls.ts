import { openMessage } from '../calls/contents/seal-message';
import type { Runtime } from '../core/runtime';
import type { SessionActor } from '../core/trpc/actor';
import { decodeCursor, toPage } from '../core/trpc/cursor';
import { type CallRow, listCalls as listCallRows } from './calls-store';
import { describeRecord, toTime } from './describe-record';
import { readFilter } from './get-report';
import { readKeyLabels } from './key-labels';
import type { UsageCall, UsageCalls, UsageFilter } from './schema';
import type { ScopeAccount } from './scope';

const DEFAULT_PAGE = 25;

/**
 * Lists the calls of a report, newest first, by page.
 * @throws GatewayError INVALID_INPUT for an invalid cursor, and all errors of a report
 */
export async function listCalls(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports'>,
  actor: SessionActor,
  {
    limit = DEFAULT_PAGE,
    cursor,
    ...filter
  }: UsageFilter & { limit?: number | undefined; cursor?: string | undefined },
): Promise<UsageCalls> {
  const before = decodeCursor(cursor, 'call');
  const { scope, which, span } = await readFilter(runtime, actor, filter);
  const rows = await listCallRows(runtime.db, which, span, before, limit + 1);
  const { page, next_cursor } = toPage(rows, limit);
  return { calls: await describeCalls(runtime, actor, page, scope.accounts), next_cursor };
}

/** Yields all calls in pages, for exports. */
export async function* walkCalls(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports'>,
  actor: SessionActor,
  { scope, which, span }: Awaited<ReturnType<typeof readFilter>>,
  pageSize: number,
): AsyncGenerator<UsageCall[]> {
  let before: string | undefined;
  for (;;) {
    const rows: CallRow[] = await listCallRows(runtime.db, which, span, before, pageSize);
    if (rows.length > 0) yield await describeCalls(runtime, actor, rows, scope.accounts);
    before = rows.at(-1)?.id;
    if (rows.length < pageSize) return;
  }
}

/** Describes calls as the viewer may see them; leaves out those of other accounts. */
export async function describeCalls(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports'>,
  actor: SessionActor,
  rows: readonly CallRow[],
  accounts: readonly ScopeAccount[],
): Promise<UsageCall[]> {
  const words = await readKeyLabels(
    runtime,
    actor,
    rows.map((row) => row.key_id),
  );
  const charged = new Map(accounts.map((account) => [account.id, account]));
  return rows.flatMap((row) => {
    const account = charged.get(row.account_id);
    const key = words(row.key_id);
    if (!account) return [];
    const { id, slug, name, role } = account;
    const mayTrace = key.is_yours || role !== 'member';
    return {
      ...describeRecord(row, key, mayTrace ? openMessage(runtime, row.id, row.error_message) : null),
      finished_at: toTime(row.finished_ms),
      account: { id, slug, name },
      key_kind: key.kind,
      key_is_yours: key.is_yours,
      member: key.is_yours ? null : key.person,
      client_address: mayTrace ? row.client_address : null,
    };
  });
}
