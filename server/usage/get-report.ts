import type { Runtime } from '../core/runtime';
import type { SessionActor } from '../core/trpc/actor';
import { type KeyLabel, readKeyLabels } from './key-labels';
import { MAX_REPORT_KEYS } from './limits';
import { listBuckets, resolvePeriod } from './period';
import { sumSeries } from './report-series';
import {
  findFirstHour,
  findRecordsFrom,
  type ReportFilter,
  type ReportRow,
  sumReport,
  sumTotals,
} from './report-store';
import type { UsageFilter, UsageReport } from './schema';
import { resolveScope, type UsageScope } from './scope';
import { addSums, byCost, isEmpty, NOTHING, type Sums, toSumRow, toTotals } from './sums';
import { sumTrends } from './trends';

/** Resolves a filter to accounts, calls and a time span. */
export async function readFilter(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  actor: SessionActor,
  filter: UsageFilter,
) {
  const scope = await resolveScope(runtime, actor, filter);
  const accountIds = scope.accounts.map(({ id }) => id);
  const first = await findFirstHour(runtime.db, accountIds);
  const { key_id: keyId, tool, status, member, tag } = filter;
  const { request_id: requestId, call_id: callId, error_code: errorCode } = filter;
  const which: ReportFilter = {
    accountIds,
    keyId,
    tool,
    status,
    member,
    tag,
    requestId,
    callId,
    errorCode,
  };
  return { scope, which, first, span: resolvePeriod(filter, runtime.ports.clock.now(), first) };
}

/**
 * Reports calls and cost: totals, comparison with the previous span, by tool over time, and by
 * tool, key, member and account.
 * @throws GatewayError FORBIDDEN if the user is not a member of the team, NOT_FOUND for a key of
 *   another account
 */
export async function getReport(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  actor: SessionActor,
  filter: UsageFilter,
): Promise<UsageReport> {
  const { scope, which, first, span } = await readFilter(runtime, actor, filter);
  const { db } = runtime;
  const [rows, before, recordsFrom] = await Promise.all([
    sumReport(db, which, span, span.unit, { byAccount: scope.account === null, everyKey: scope.isTeam }),
    span.before ? sumTotals(db, which, span.before) : null,
    findRecordsFrom(db),
  ]);
  const keySums = groupBy(rows, (row) => (row.at === null ? row.key_id : null));
  const words = await readKeyLabels(runtime, actor, keySums.keys());
  const tools = groupBy(rows, (row) => row.tool);
  const keys = [...keySums]
    .map(([id, sums]) => ({ words: words(id), sums }))
    .sort((a, b) => byCost(a.sums, b.sums));
  const all = addSums([...tools.values()]);
  const buckets = listBuckets(span, span.unit);
  const toolTrends = sumTrends(rows, buckets, (row) => row.tool, countCalls);
  const keyTrends = sumTrends(rows, buckets, (row) => row.key_id, countCalls);
  return {
    account: scope.account,
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    unit: span.unit,
    totals: toTotals(all, filter.status),
    before: before && toTotals(before, filter.status),
    by_time: sumOverTime(rows, buckets),
    series: sumAllSeries(rows, buckets, words, scope),
    by_tool: [...tools]
      .sort(([, a], [, b]) => byCost(a, b))
      .map(([tool, sums]) => ({
        tool,
        ...toSumRow(sums),
        avg_latency_ms: toTotals(sums, filter.status).avg_latency_ms,
        trend: toolTrends.of(tool),
      })),
    by_key: keys.slice(0, MAX_REPORT_KEYS).map(({ words: { userId: _, person: __, ...key }, sums }) => ({
      ...key,
      ...toSumRow(sums),
      trend: keyTrends.of(key.key_id),
    })),
    keys_left_out: Math.max(0, keys.length - MAX_REPORT_KEYS),
    by_member: scope.isTeam ? byMember(keys) : null,
    by_account: scope.account ? null : byAccount(rows, scope),
    calls_kept_from: recordsFrom && recordsFrom > span.from ? recordsFrom.toISOString() : null,
    is_unused: first === null,
  };
}

const countCalls = ({ calls }: ReportRow) => calls;

function groupBy(rows: readonly ReportRow[], nameOf: (row: ReportRow) => string | null): Map<string, Sums> {
  const groups = new Map<string, Sums>();
  for (const row of rows) {
    const name = nameOf(row);
    if (name !== null) groups.set(name, addSums([groups.get(name) ?? NOTHING, row]));
  }
  // Sorted by name, so that equal rows keep their order.
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Fills every bucket of the span. */
function sumOverTime(rows: readonly ReportRow[], buckets: readonly number[]): UsageReport['by_time'] {
  const places = new Map(buckets.map((at, index) => [at, index]));
  const totals: Sums[] = buckets.map(() => NOTHING);
  for (const row of rows) {
    const place = row.at === null ? undefined : places.get(row.at);
    if (row.tool !== null && place !== undefined) totals[place] = addSums([totals[place] ?? NOTHING, row]);
  }
  return buckets.map((at, index) => {
    const { calls, cost_usd } = toSumRow(totals[index] ?? NOTHING);
    return { at: new Date(at).toISOString(), calls, cost_usd };
  });
}

/** The series of each grouping that the report has. */
function sumAllSeries(
  rows: readonly ReportRow[],
  buckets: readonly number[],
  words: (keyId: string) => KeyLabel,
  scope: UsageScope,
): UsageReport['series'] {
  const names = new Map(scope.accounts.map(({ id, slug, name }) => [id, slug === null ? 'Personal' : name]));
  const series = (nameOf: Parameters<typeof sumSeries>[2]) => sumSeries(rows, buckets, nameOf);
  const ofKey = (row: ReportRow) => (row.key_id === null ? null : words(row.key_id));
  return {
    tool: series(({ tool }) => (tool === null ? null : { id: tool, name: tool })),
    key: series((row) => {
      const key = ofKey(row);
      return key && { id: key.key_id, name: key.name };
    }),
    member: scope.isTeam
      ? series((row) => {
          const key = ofKey(row);
          return key && { id: key.userId ?? 'gone', name: key.person ?? FORMER_MEMBER };
        })
      : null,
    account: scope.account
      ? null
      : series(({ account_id: id }) => (id === null ? null : { id, name: names.get(id) ?? id })),
  };
}

const FORMER_MEMBER = 'Former member';

function byMember(keys: readonly { words: KeyLabel; sums: Sums }[]): NonNullable<UsageReport['by_member']> {
  const people = new Map<string | null, { name: string; sums: Sums }>();
  for (const { words, sums } of keys) {
    const known = people.get(words.userId);
    const name = words.person ?? FORMER_MEMBER;
    people.set(words.userId, { name, sums: addSums([known?.sums ?? NOTHING, sums]) });
  }
  return [...people]
    .sort(([, a], [, b]) => byCost(a.sums, b.sums))
    .map(([userId, { name, sums }]) => ({ user_id: userId, name, ...toSumRow(sums) }));
}

function byAccount(rows: readonly ReportRow[], scope: UsageScope): NonNullable<UsageReport['by_account']> {
  const sums = groupBy(rows, (row) => (row.at === null ? row.account_id : null));
  return scope.accounts
    .map((account) => ({ account, sums: sums.get(account.id) ?? NOTHING }))
    .filter((row) => !isEmpty(row.sums))
    .sort((a, b) => byCost(a.sums, b.sums))
    .map((row) => ({ ...row.account, ...toSumRow(row.sums) }));
}
