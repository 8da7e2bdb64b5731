import type { Runtime } from '../core/runtime';
import type { Actor, SessionActor } from '../core/trpc/actor';
import { chooseVisibleKey } from '../identity/keys/choose-visible-key';
import { countFailures, type FailureRow } from './errors-store';
import { readFilter } from './get-report';
import { periodStart } from './get-usage';
import { MAX_COUNTED_FAILURES, MAX_ERROR_ROWS } from './limits';
import { listBuckets, type Span, type Unit } from './period';
import { findFirstHour, type ReportFilter } from './report-store';
import type { UsageErrors, UsageErrorsInput, UsageFilter } from './schema';
import { sumTrends } from './trends';

/**
 * Counts the failed calls of a report by tool and code.
 * @throws GatewayError as a report does
 */
export async function getErrorReport(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  actor: SessionActor,
  filter: UsageFilter,
): Promise<UsageErrors> {
  const { which, span } = await readFilter(runtime, actor, filter);
  return await describeFailures(runtime, which, span, span.unit);
}

/**
 * Counts the failed calls of an account, or of one of its keys, by tool and code.
 * @throws GatewayError NOT_FOUND for a key the actor may not read
 */
export async function getErrors(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  actor: Actor,
  { period, key_id, tag, tool }: UsageErrorsInput,
): Promise<UsageErrors> {
  const keyId = await chooseVisibleKey(runtime, actor, key_id);
  const { accountId } = actor;
  const to = runtime.ports.clock.now();
  const from = periodStart(period, to) ?? (await findFirstHour(runtime.db, [accountId])) ?? to;
  const which = { accountIds: [accountId], keyId, tag, tool };
  return await describeFailures(runtime, which, { from, to }, period === 'day' ? 'hour' : 'day');
}

async function describeFailures(
  { db }: Pick<Runtime, 'db'>,
  which: ReportFilter,
  span: Span,
  unit: Unit,
): Promise<UsageErrors> {
  const rows = await countFailures(db, which, span, unit);
  const total = rows.find(({ code }) => code === null);
  const sums = rows
    .filter(({ code, at }) => code !== null && at === null)
    .sort((a, b) => b.calls - a.calls || b.last_ms - a.last_ms || (nameRow(a) < nameRow(b) ? -1 : 1));
  const trends = sumTrends(
    rows,
    listBuckets(span, unit),
    (row) => (row.code === null ? null : nameRow(row)),
    ({ calls }) => calls,
  );
  const isCut = total !== undefined && total.calls >= MAX_COUNTED_FAILURES;
  return {
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    unit,
    failed: total?.calls ?? 0,
    keys: total?.keys ?? 0,
    first_at: total ? new Date(total.first_ms).toISOString() : null,
    last_at: total ? new Date(total.last_ms).toISOString() : null,
    counted_from: isCut ? new Date(total.first_ms).toISOString() : null,
    trend_at: trends.at,
    errors: sums.slice(0, MAX_ERROR_ROWS).map((row) => ({
      tool: row.tool ?? '',
      error_code: row.code ?? '',
      calls: row.calls,
      keys: row.keys,
      first_at: new Date(row.first_ms).toISOString(),
      last_at: new Date(row.last_ms).toISOString(),
      trend: trends.of(nameRow(row)),
    })),
    errors_left_out: Math.max(0, sums.length - MAX_ERROR_ROWS),
  };
}

function nameRow({ tool, code }: Pick<FailureRow, 'tool' | 'code'>): string {
  return `${tool} ${code}`;
}
