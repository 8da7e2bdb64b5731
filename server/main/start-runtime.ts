import { setTimeout as wait } from 'node:timers/promises';
import { connect } from '@/db/client';
import type { PoolBounds } from '@/db/pool-bounds';
import { scratchParent } from '../assets/scratch';
import { LostCallTurns } from '../calls/execution/lost-call-turns';
import {
  giveBackLostCalls,
  runQueuedCall,
  type TakenCall,
  takeCalls,
} from '../calls/execution/run-queued-call';
import { warmSchemas } from '../catalog/tools/describe-tool';
import type { Runtime } from '../core/runtime';
import { createLogger, type Logger } from '../kit/log';
import { deliverWebhook } from '../notifications/webhooks/deliver-webhook';
import { type QueuedDelivery, takeQueuedDeliveries } from '../notifications/webhooks/delivery-store';
import { giveBackDeliveries } from '../notifications/webhooks/requeue-webhooks';
import { SweepTimer } from '../operations/retention/sweep-timer';
import { JobTimer, type RepeatingJob } from '../platform/background/job-timer';
import { logConfinement } from '../platform/confinement/describe';
import { hideFiles, shareScratch } from '../platform/confinement/folders';
import { setWorkerNiceness } from '../platform/confinement/run-nice';
import { RowQueue } from '../platform/queue/row-queue';
import { PACE, type Pace } from '../platform/settings/pace';
import type { BootedSettings } from '../platform/settings/settings';
import { closeWorkers } from '../platform/workers/cpu-pool';
import { allowUnconfinedSql } from '../platform/workers/native-sql';
import { setProgramPaths } from '../platform/workers/programs';
import { tools as builtInTools } from '../tools/registry';
import type { ToolDefinition } from '../tools/sdk/define-tool';
import { chooseJobs } from './choose-jobs';
import { createRuntime, type RuntimeOptions } from './create-runtime';

interface StartOptions
  extends Pick<RuntimeOptions, 'settings' | 'ports' | 'deprecations' | 'deliver' | 'group'> {
  tools?: readonly ToolDefinition[] | undefined;
  log?: Logger | undefined;
  /** `web` serves requests, `worker` only runs queued work, `command` runs no background work. */
  role?: Role | undefined;
  /** Replaces the default time limits of the database. */
  poolBounds?: Readonly<PoolBounds> | undefined;
  /** Replaces the background jobs of the role. */
  jobs?: readonly RepeatingJob[] | undefined;
  pace?: Readonly<Pace>;
  /** Background work starts with `begin`, not at once. */
  waits?: boolean | undefined;
}

type Role = 'web' | 'worker' | 'command';

export interface StartedRuntime {
  runtime: Runtime;
  /** Starts the background work if it waits for this. */
  begin(): void;
  /** Lets running calls finish within the limit, then closes the database pool. */
  close(boundMs?: number): Promise<void>;
}

const DRAIN_MS = 15_000;
/** Time limit for the queues, a sweep and the payment jobs to stop. */
const BACKGROUND_STOP_MS = 2_000;
/** They mostly wait for receivers. */
const WEBHOOK_CONCURRENCY = 16;
/** Time limit for exporting the last traces. */
const TRACES_MS = 2_000;

/** Real payments are accepted without a seller, but their invoices are refused. */
function warnWithoutSeller({ settings, log }: Pick<Runtime, 'settings' | 'log'>): void {
  const { stripe, seller } = settings;
  if (stripe?.mode === 'live' && (seller.name === null || seller.address === null))
    log.warn('invoices.no_seller', { missing: 'SELLER_NAME and SELLER_ADDRESS' });
}

/**
 * Creates the runtime of a process and starts its background work: heartbeat, reaper, queue. A web
 * process loads its pages first: meanwhile its connections would reach their time limits.
 */
export function startRuntime({
  settings,
  tools = builtInTools,
  log = createLogger(undefined, { level: settings.operation.logLevel }),
  role = 'web',
  poolBounds,
  jobs = chooseJobs(role, settings),
  pace = PACE,
  waits = false,
  ...options
}: StartOptions): StartedRuntime {
  const pool = connect(settings.databaseUrl, settings.databasePoolSize, {
    patient: role === 'command',
    bounds: poolBounds,
  });
  configureProcess(settings);
  const runtime = createRuntime({ settings, pool, tools, log, pace, ...options });
  warmSchemas(tools);
  if (role === 'web') warnWithoutSeller(runtime);
  const background: Background = {
    sweeps: new SweepTimer(runtime),
    money: new JobTimer(runtime, jobs),
    queues: [],
  };
  let hasStarted = false;
  const begin = () => {
    if (!hasStarted) startBackground(runtime, { role, pace }, background);
    hasStarted = true;
  };
  if (!waits) begin();
  return {
    runtime,
    begin,
    async close(boundMs = DRAIN_MS) {
      hasStarted = true;
      await stopBackground(runtime, background, boundMs);
      runtime.ports.browser.close();
      await runtime.observer.close(TRACES_MS);
      await pool.close();
    },
  };
}

/** Closes the runtime of a process that ends, and the workers, which belong to the process. */
export async function closeProcess({ close }: StartedRuntime, boundMs = DRAIN_MS): Promise<void> {
  await close(boundMs);
  closeWorkers();
}

/** Applies the settings of workers and programs, which are module state. */
function configureProcess(settings: BootedSettings): void {
  setProgramPaths({ ffmpeg: settings.ffmpegPath });
  setWorkerNiceness(settings.workerNiceness);
  hideFiles([settings.dataDir, ...(settings.assetsDir === null ? [] : [settings.assetsDir])]);
  shareScratch(scratchParent(settings));
  allowUnconfinedSql(settings.unconfinedSql);
}

interface Background {
  sweeps: SweepTimer;
  money: JobTimer;
  queues: { stop(): Promise<void> }[];
}

/** Starts the background work of the role. */
function startBackground(
  runtime: Runtime,
  { role, pace }: { role: Role; pace: Readonly<Pace> },
  background: Background,
): void {
  const { settings, log, running, switches, imports, ports, callContents } = runtime;
  if (role === 'command') return;
  void logConfinement(log, settings.production);
  running.start();
  background.sweeps.start();
  background.money.start();
  switches.start();
  callContents.start();
  imports.start({ checks: role === 'web' });
  // The web process also delivers the events of a worker's charges.
  if (role === 'web') ports.fakeStripe?.start();
  const works = role === 'worker' ? settings.jobs !== 'off' : settings.jobs === 'on';
  background.queues = startQueues(runtime, works, pace);
}

type Running = Pick<
  Runtime,
  'running' | 'notices' | 'switches' | 'imports' | 'live' | 'ports' | 'callContents' | 'refusals'
>;

/** Drains the calls within the limit, then stops the rest. */
async function stopBackground(runtime: Running, background: Background, boundMs: number): Promise<void> {
  const { running, notices, switches, imports, live, ports, callContents, refusals } = runtime;
  const { sweeps, money, queues } = background;
  // Waiting clients get the current state and new calls are refused. Queued calls stay for
  // other workers.
  const drained = running.drain(boundMs);
  const stopped = Promise.all(queues.map((queue) => queue.stop()));
  const moneyStopped = money.stop();
  notices.close();
  switches.close();
  const importsStopped = imports.close();
  live.close();
  await drained;
  await Promise.race([
    Promise.all([
      // The contents of the calls that the queue finished are stored too.
      stopped.then(() => callContents.close()),
      refusals.close(),
      sweeps.stop(),
      moneyStopped,
      importsStopped,
      ports.fakeStripe?.close(),
    ]),
    wait(BACKGROUND_STOP_MS),
  ]);
}

/** @param runsCalls whether this process also runs queued calls; each process sends webhooks */
function startQueues(runtime: Runtime, runsCalls: boolean, pace: Pace): Background['queues'] {
  const { settings, log, observer, notices, db } = runtime;
  const options = {
    notices,
    onError(error: unknown) {
      observer.metrics.backgroundErrors.inc({ work: 'queue' });
      log.error('queue.failed', { error });
    },
    pollMs: pace.queuePollMs,
  };
  const webhooks = new RowQueue<QueuedDelivery>(
    {
      topic: 'webhooks',
      concurrency: WEBHOOK_CONCURRENCY,
      take: (limit, running) =>
        takeQueuedDeliveries(db, { limit, running: running.map(({ accountId }) => accountId) }),
      giveBack: () => giveBackDeliveries(runtime),
      work: ({ id }, stopping) => deliverWebhook(runtime, id, stopping),
    },
    options,
  );
  if (!runsCalls) return [webhooks];
  const turns = new LostCallTurns(pace.aloneMs);
  const calls = new RowQueue<TakenCall>(
    {
      topic: 'queue',
      concurrency: settings.jobConcurrency,
      take: (limit, runs) => takeCalls(runtime, { limit, runs, turns }),
      giveBack: () => giveBackLostCalls(runtime),
      work: (call) => runQueuedCall(runtime, call),
    },
    options,
  );
  return [webhooks, calls];
}
