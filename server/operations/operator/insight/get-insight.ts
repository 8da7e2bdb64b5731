import { listTools } from '../../../catalog/imports/list-tools';
import type { Runtime } from '../../../core/runtime';
import { usdFromMicrousd } from '../../../kit/money';
import { listBuckets, resolvePeriod } from '../../../usage/period';
import { countSignUps, type InsightRow, listAccountNames, sumInsight, sumSpan } from './insight-store';
import type { Insight, InsightInput } from './schema';

/** Calls, revenue, provider cost, margin and sign-ups of a period, over time and compared. */
export async function getInsight(
  runtime: Pick<Runtime, 'db' | 'ports' | 'tools'>,
  { period, by }: InsightInput,
): Promise<Insight> {
  const { db, ports } = runtime;
  const span = resolvePeriod({ period }, ports.clock.now(), null);
  const unit = span.unit === 'hour' ? 'hour' : 'day';
  const previous = span.before ?? span;
  const [rows, sumBefore, signUps, earlier] = await Promise.all([
    sumInsight(db, span, unit, by),
    sumSpan(db, previous),
    countSignUps(db, span, unit),
    countSignUps(db, previous, unit),
  ]);
  const times = new Map(rows.filter(({ kind }) => kind === 'time').map((row) => [row.at, row]));
  const people = new Map(signUps.map(({ at, people: count }) => [at, count]));
  const total = [...times.values()].reduce(addSums, NOTHING);
  return {
    period,
    by,
    unit,
    totals: { ...describeSums(total), sign_ups: countPeople(signUps) },
    before: { ...describeSums(sumBefore), sign_ups: countPeople(earlier) },
    by_time: listBuckets(span, unit).map((at) => ({
      at: new Date(at).toISOString(),
      ...describeSums(times.get(at) ?? NOTHING),
      sign_ups: people.get(at) ?? 0,
    })),
    top_accounts: await describeAccounts(runtime, rows),
    top_tools: await describeTools(runtime, rows),
  };
}

type Sums = Pick<InsightRow, 'calls' | 'failed' | 'raw' | 'markup'>;
const NOTHING: Sums = { calls: 0, failed: 0, raw: 0n, markup: 0n };

function addSums(sum: Sums, row: Sums): Sums {
  return {
    calls: sum.calls + row.calls,
    failed: sum.failed + row.failed,
    raw: sum.raw + row.raw,
    markup: sum.markup + row.markup,
  };
}

/** Of revenue, the provider's cost is passed on, so the margin is the platform's part. */
function describeSums({ calls, failed, raw, markup }: Sums) {
  return {
    calls,
    failed,
    revenue_usd: usdFromMicrousd(raw + markup),
    provider_cost_usd: usdFromMicrousd(raw),
    margin_usd: usdFromMicrousd(markup),
  };
}

function countPeople(rows: readonly { people: number }[]): number {
  return rows.reduce((sum, { people }) => sum + people, 0);
}

async function describeAccounts(
  { db }: Pick<Runtime, 'db'>,
  rows: readonly InsightRow[],
): Promise<Insight['top_accounts']> {
  const own = rows.filter(({ kind }) => kind === 'account');
  const names = new Map(
    (
      await listAccountNames(
        db,
        own.map(({ subject }) => subject ?? ''),
      )
    ).map((row) => [row.id, row]),
  );
  return own.map((row) => {
    const account = names.get(row.subject ?? '');
    const isTeam = account?.type === 'team';
    const id = row.subject ?? '';
    return {
      ...describeSums(row),
      account_id: id,
      name: (isTeam ? account.name : (account?.email ?? account?.name)) ?? 'Unknown account',
      note: isTeam ? account.email : account?.email ? null : id,
    };
  });
}

async function describeTools(
  runtime: Pick<Runtime, 'db' | 'tools'>,
  rows: readonly InsightRow[],
): Promise<Insight['top_tools']> {
  const imported = new Set((await listTools(runtime)).map(({ name }) => name));
  return rows
    .filter(({ kind }) => kind === 'tool')
    .map((row) => {
      const tool = row.subject ?? '';
      return {
        ...describeSums(row),
        tool,
        display_name: runtime.tools.findTool(tool)?.displayName ?? tool,
        cost_recorded: !imported.has(tool) || row.raw > 0n,
      };
    });
}
