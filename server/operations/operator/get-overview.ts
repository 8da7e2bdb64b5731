import { findToolOutage } from '../../catalog/tools/find-outage';
import type { Runtime } from '../../core/runtime';
import { usdFromMicrousd } from '../../kit/money';
import { GATEWAY_VERSION } from '../../kit/version';
import { getConfinementReport } from '../../platform/confinement/describe';
import { listOpenAlerts } from './alerts/alert-store';
import { listBackground } from './background/list-jobs';
import { toIso, toIsoOrNull } from './operator';
import { listFailing, readQueueDepth, readState, sumAccounts } from './overview-store';
import { describeRun } from './reconcile-run';
import { findLastRun } from './reconcile-store';
import type { Overview } from './schema';

const ALL_TOOLS = 1_000;

/** Summarizes the whole gateway. */
export async function getOverview(
  runtime: Pick<Runtime, 'catalog' | 'db' | 'engines' | 'settings' | 'switches'>,
): Promise<Overview> {
  const { db } = runtime;
  const [money, state, depth, failing, run, unavailable, confinement, { jobs }, alerts] = await Promise.all([
    sumAccounts(db),
    readState(db),
    readQueueDepth(db),
    listFailing(db),
    findLastRun(db),
    listUnavailable(runtime),
    getConfinementReport(),
    listBackground(runtime),
    listOpenAlerts(db),
  ]);
  const last = run && describeRun(run);
  return {
    accounts: {
      total: money.total,
      provisional: money.provisional,
      frozen: money.frozen,
      teams: money.teams,
    },
    active_keys: state.active_keys,
    credit_usd: usdFromMicrousd(money.credit),
    held_usd: usdFromMicrousd(money.held),
    debt_usd: usdFromMicrousd(money.debt),
    accounts_in_debt: money.in_debt,
    disputed_accounts: money.disputed,
    jobs: {
      running: depth.running,
      queued: depth.queued,
      stuck: depth.stuck,
      oldest_at: toIsoOrNull(depth.oldest),
    },
    failed_webhooks: state.failed_webhooks,
    failed_mails: state.failed_mails,
    open_refunds: state.open_refunds,
    tools: { ...unavailable, failing },
    reconcile: last && {
      id: last.id,
      status: last.status,
      at: toIso(last.created_at),
      differences: last.difference_count,
    },
    next_reconcile_at: jobs.find(({ name }) => name === 'reconcile')?.next_at ?? null,
    failing_jobs: jobs.filter((job) => job.state === 'failed').map(({ label }) => label),
    open_alerts: alerts.length,
    confinement: { protections: confinement.protections, warnings: confinement.warnings },
    version: GATEWAY_VERSION,
    database_bytes: state.bytes,
    processes: state.processes,
  };
}

async function listUnavailable(
  runtime: Pick<Runtime, 'catalog' | 'engines' | 'switches'>,
): Promise<{ total: number; unavailable: string[] }> {
  const tools = runtime.catalog.list({ limit: ALL_TOOLS });
  const outages = await Promise.all(tools.map((tool) => findToolOutage(runtime, tool)));
  return {
    total: tools.length,
    unavailable: tools.flatMap(({ name }, at) => (outages[at] === null ? [] : [name])),
  };
}
