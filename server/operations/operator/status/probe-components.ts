import { findToolOutage } from '../../../catalog/tools/find-outage';
import type { Runtime } from '../../../core/runtime';
import { withTimeout } from '../../../kit/with-timeout';
import type { ToolDefinition } from '../../../tools/sdk/define-tool';
import { listFailing, readQueueDepth } from '../overview-store';
import type { ComponentState } from './schema';
import { countFailedEvents } from './status-store';

/** The state of a part of the gateway, as the public may see it. */
export interface Probe {
  id: string;
  name: string;
  state: ComponentState;
  note: string | null;
}

type ProbedRuntime = Pick<
  Runtime,
  'catalog' | 'db' | 'engines' | 'observer' | 'ports' | 'settings' | 'sql' | 'switches'
>;

const ALL_TOOLS = 1_000;
const PROBE_MS = 3_000;
const SLOW_DATABASE_MS = 1_000;
const OLD_JOB_MS = 300_000;
/** An older event that still fails waits for the operator, who is alerted. */
const PAYMENT_HOURS = 24;

/** Probes every part that this gateway has. Never throws: a probe that fails is the result. */
export async function probeComponents(runtime: ProbedRuntime): Promise<Probe[]> {
  const { settings, ports } = runtime;
  const database = await probeDatabase(runtime);
  const api = await probeApi(runtime);
  if (database.state === 'down') return [api, database];
  const rest = await Promise.all([
    settings.jobs === 'off' ? null : guard('jobs', 'Jobs', () => probeJobs(runtime)),
    ports.payments ? guard('payments', 'Payments', () => probePayments(runtime)) : null,
    guard('tools', 'Tools', () => probeTools(runtime, false)),
    guard('providers', 'Providers', () => probeTools(runtime, true)),
  ]);
  return [api, database, ...rest.filter((probe) => probe !== null)];
}

/**
 * The worst state; only the API or the database stop the whole gateway. An incident that operators
 * posted counts, also if no probe notices it. Pure.
 */
export function summarize(
  probes: readonly Probe[],
  incidents: readonly { resolvedAt: Date | null }[],
): ComponentState {
  if (probes.some(({ id, state }) => state === 'down' && (id === 'api' || id === 'database'))) return 'down';
  const isHit = incidents.some(({ resolvedAt }) => resolvedAt === null);
  return isHit || probes.some(({ state }) => state !== 'operational') ? 'degraded' : 'operational';
}

type Finding = [state: ComponentState, note: string | null];

async function guard(id: string, name: string, probe: () => Promise<Finding>): Promise<Probe> {
  const [state, note] = await withTimeout(probe(), PROBE_MS).catch(
    (): Finding => ['degraded', 'The check failed.'],
  );
  return { id, name, state, note };
}

async function probeApi({ observer }: Pick<Runtime, 'observer'>): Promise<Probe> {
  // The database has its own line; whatever else fails means that requests are not answered.
  const failed = await observer.health.failedChecksOfGroup();
  const broken = failed.filter((check) => check !== 'database');
  const [state, note]: Finding =
    broken.length === 0
      ? ['operational', null]
      : broken.includes('listener')
        ? ['degraded', 'Live updates are delayed.']
        : ['down', 'The gateway is restarting.'];
  return { id: 'api', name: 'API', state, note };
}

async function probeDatabase({ sql }: Pick<Runtime, 'sql'>): Promise<Probe> {
  const started = performance.now();
  const answers = await withTimeout(sql`select 1`.execute(), PROBE_MS).then(
    () => true,
    () => false,
  );
  const slow = performance.now() - started > SLOW_DATABASE_MS;
  const [state, note]: Finding = !answers
    ? ['down', 'The database does not respond.']
    : slow
      ? ['degraded', 'The database responds slowly.']
      : ['operational', null];
  return { id: 'database', name: 'Database', state, note };
}

async function probeJobs({ db }: Pick<Runtime, 'db'>): Promise<Finding> {
  const { stuck, queued, oldest } = await readQueueDepth(db);
  if (stuck > 0) return ['degraded', 'Some jobs are being restarted.'];
  const waits = queued > 0 && oldest !== null && Date.now() - new Date(oldest).getTime() > OLD_JOB_MS;
  return waits ? ['degraded', 'Jobs wait longer than usual.'] : ['operational', null];
}

async function probePayments({ db }: Pick<Runtime, 'db'>): Promise<Finding> {
  const failed = await countFailedEvents(db, PAYMENT_HOURS);
  return failed > 0 ? ['degraded', 'Some payments are credited late.'] : ['operational', null];
}

/** The tools that run here, or those that call a provider. */
async function probeTools(
  runtime: Pick<Runtime, 'catalog' | 'db' | 'engines' | 'switches'>,
  throughProvider: boolean,
): Promise<Finding> {
  const tools = runtime.catalog
    .list({ limit: ALL_TOOLS })
    .filter((tool) => usesProvider(tool) === throughProvider);
  const failing = new Set(await listFailing(runtime.db));
  const outages = await Promise.all(tools.map((tool) => findToolOutage(runtime, tool)));
  const hit = tools.filter(({ name }) => failing.has(name));
  const missing = tools.filter((_, at) => outages[at] !== null);
  if (hit.length > 0 && hit.length * 2 > tools.length)
    return ['down', 'Most tools fail most of their calls.'];
  if (hit.length > 0) return ['degraded', `High failure rate: ${listNames(hit)}.`];
  // A tool that the operator has not set up is not an outage.
  return ['operational', missing.length > 0 ? `Not available here: ${listNames(missing)}.` : null];
}

export function usesProvider(tool: ToolDefinition): boolean {
  return tool.skills.some(({ requirements = [] }) => requirements.length > 0);
}

const MAX_NAMES = 5;

function listNames(tools: readonly ToolDefinition[]): string {
  const names = tools.slice(0, MAX_NAMES).map(({ displayName }) => displayName);
  const more = tools.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
