import type { Runtime } from '../core/runtime';
import type { SessionActor } from '../core/trpc/actor';
import { decodeCursor, encodeCursor } from '../core/trpc/cursor';
import { usdFromMicrousd } from '../kit/money';
import { type CallRow, listCalls as listCallRows } from './calls-store';
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
  runtime: Pick<Runtime, 'db' | 'ports'>,
  actor: SessionActor,
  {
    limit = DEFAULT_PAGE,
    cursor,
    ...filter
  }: UsageFilter & { limit?: number | undefined; cursor?: string | undefined },
): Promise<UsageCalls> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor, 'call');
  const { scope, which, span } = await readFilter(runtime, actor, filter);
  const rows = await listCallRows(runtime.db, which, span, before, limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    calls: await describeCalls(runtime, actor, shown, scope.accounts),
    next_cursor: last && rows.length > limit ? encodeCursor(last.id) : null,
  };
}

/** Yields all calls in pages, for exports. */
export async function* walkCalls(
  runtime: Pick<Runtime, 'db'>,
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
  runtime: Pick<Runtime, 'db'>,
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
      id: row.id,
      created_at: new Date(row.created_ms).toISOString(),
      finished_at: new Date(row.finished_ms).toISOString(),
      tool: row.tool,
      skill: row.skill,
      status: row.status,
      cost_usd: usdFromMicrousd(row.raw + row.markup),
      raw_cost_usd: usdFromMicrousd(row.raw),
      markup_usd: usdFromMicrousd(row.markup),
      billing: slug ?? row.billing,
      account: { id, slug, name },
      byok: row.byok,
      key_id: row.key_id,
      key_name: key.name,
      key_kind: key.kind,
      key_is_yours: key.is_yours,
      member: key.is_yours ? null : key.person,
      latency_ms: row.latency_ms,
      job_id: row.job_id,
      error_code: row.error_code,
      request_id: row.request_id,
      client_address: mayTrace ? row.client_address : null,
      error_message: mayTrace ? row.error_message : null,
    };
  });
}
