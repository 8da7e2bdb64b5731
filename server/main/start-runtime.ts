import { setTimeout as wait } from 'node:timers/promises';
import { connect } from '@/db/client';
import type { PoolBounds } from '@/db/pool-bounds';
import { scratchParent } from '../assets/scratch';
import { runQueuedCall } from '../calls/execution/run-queued-call';
import { RunningCalls } from '../calls/execution/running-calls';
import { FastPathBackoff } from '../calls/fast-path/fast-path-backoff';
import { createCallFlush } from '../calls/flush';
import { createJobReader } from '../calls/jobs/read-job';
import { ProviderRegistry } from '../catalog/credentials/provider-registry';
import { ImportedTools } from '../catalog/imports/imported-tools';
import { createChangingCatalog } from '../catalog/tools/catalog';
import { warmSchemas } from '../catalog/tools/describe-tool';
import { ToolFacts } from '../catalog/tools/tool-facts';
import { ToolSwitches } from '../catalog/tools/tool-switches';
import { AuthFailureLimiters } from '../core/limits/auth-failure-limiter';
import { getQuotas } from '../core/limits/quotas';
import { createAccountWatch } from '../core/live/create-watch';
import { Notices } from '../core/notices/notices';
import type { Runtime } from '../core/runtime';
import type { Deprecations } from '../core/versions/deprecations';
import { Versions } from '../core/versions/versions';
import { KeyCache } from '../identity/keys/key-cache';
import { findOperator } from '../identity/sessions/find-operator';
import { getCachedActor, resolveActor } from '../identity/sessions/resolve-actor';
import { createLogger, type Logger, withContext } from '../kit/log';
import { MONEY_JOBS } from '../money/money-jobs';
import { MoneyTimer } from '../money/money-timer';
import { SweepTimer } from '../operations/retention/sweep-timer';
import { logConfinement } from '../platform/confinement/describe';
import { hideFiles, shareScratch } from '../platform/confinement/folders';
import { setWorkerNiceness } from '../platform/confinement/run-nice';
import { observePorts } from '../platform/observe/observe-outbound';
import { Observer } from '../platform/observe/observer';
import { choosePorts } from '../platform/ports/choose-ports';
import type { DeliverEvent, Ports } from '../platform/ports/ports';
import { type QueueWorker, startQueueWorker } from '../platform/ports/queue';
import { PACE, type Pace } from '../platform/settings/pace';
import type { BootedSettings } from '../platform/settings/settings';
import { closeWorkers } from '../platform/workers/cpu-pool';
import { allowUnconfinedSql } from '../platform/workers/native-sql';
import { setProgramPaths } from '../platform/workers/programs';
import { tools as builtInTools } from '../tools/registry';
import type { ToolDefinition } from '../tools/sdk/define-tool';
import { Engines } from '../tools/sdk/engines';
import { createToolRegistry } from '../tools/tool-lookup';

interface StartOptions {
  settings: BootedSettings;
  tools?: readonly ToolDefinition[] | undefined;
  log?: Logger | undefined;
  ports?: Partial<Ports> | undefined;
  /** Replaces the table of deprecations. */
  deprecations?: Deprecations | undefined;
  /** Receives the events of the fake Stripe, if there is no server to post them to. */
  deliver?: DeliverEvent;
  /** `web` serves requests, `worker` only runs queued calls, `command` runs no background work. */
  role?: 'web' | 'worker' | 'command' | undefined;
  /** Replaces the default time limits of the database. */
  poolBounds?: Readonly<PoolBounds> | undefined;
  pace?: Readonly<Pace>;
}

export interface StartedRuntime {
  runtime: Runtime;
  /** Lets running calls finish within the limit, then closes the database pool. */
  close(boundMs?: number): Promise<void>;
}

const DRAIN_MS = 15_000;
/** Time limit for the queue's connections, a sweep and the payment jobs to stop. */
const BACKGROUND_STOP_MS = 2_000;
/** Time limit for exporting the last traces. */
const TRACES_MS = 2_000;

/** Creates the runtime of a process: pool, ports, catalogue, group commits, heartbeat, reaper. */
export function startRuntime({
  settings,
  tools = builtInTools,
  log: plainLog = createLogger(undefined, { level: settings.operation.logLevel }),
  ports,
  deprecations,
  deliver,
  role = 'web',
  poolBounds,
  pace = PACE,
}: StartOptions): StartedRuntime {
  const pool = connect(settings.databaseUrl, settings.databasePoolSize, {
    patient: role === 'command',
    bounds: poolBounds,
  });
  const { sql, db, close } = pool;
  setProgramPaths({ ffmpeg: settings.ffmpegPath });
  setWorkerNiceness(settings.workerNiceness);
  hideFiles([settings.dataDir, ...(settings.assetsDir === null ? [] : [settings.assetsDir])]);
  shareScratch(scratchParent(settings));
  allowUnconfinedSql(settings.unconfinedSql);
  const quotas = getQuotas(settings);
  const flush = createCallFlush(sql, {
    leaseSeconds: settings.leaseSeconds,
    quotas,
    retryMs: pace.callRetryMs,
  });
  let log = plainLog;
  // Runs only after the start, when `observer` exists.
  const backgroundError = (work: string, message: string, error: unknown) => {
    observer.metrics.backgroundErrors.inc({ work });
    log.error(message, { error });
  };
  const running = new RunningCalls(sql, flush, settings.baseUrl, (error) =>
    backgroundError('heartbeat', 'heartbeat.failed', error),
  );
  const notices = new Notices(pool, (error) => backgroundError('listen', 'notices.listen_failed', error), {
    pulseMs: pace.listenPulseMs,
  });
  const observer = new Observer({ settings, sql, notices, running, flush, pool, pace }, log);
  const { tracing } = observer;
  if (tracing) log = withContext(plainLog, () => tracing.ids());
  const registry = createToolRegistry(tools);
  const catalog = createChangingCatalog(tools);
  const slots = new ProviderRegistry(settings);
  const imports = new ImportedTools({ builtIn: tools, registry, catalog, slots });
  const facts = new ToolFacts(db);
  const switches = new ToolSwitches({ sql, notices, log, onChange: () => facts.invalidate() });
  const runtime: Runtime = {
    settings,
    quotas,
    sql,
    db,
    ports: observePorts(observer, { ...choosePorts({ settings, log, sql, deliver }), ...ports }),
    tools: registry,
    engines: new Engines(pace.engineSearchMs),
    catalog,
    slots,
    imports,
    facts,
    switches,
    versions: new Versions(settings.baseUrl, deprecations),
    flush,
    actors: { recall: getCachedActor, resolve: resolveActor, findOperator },
    keyMemory: new KeyCache(),
    fastPathBackoff: new FastPathBackoff(),
    authFailures: new AuthFailureLimiters(),
    running,
    notices,
    live: createAccountWatch(
      sql,
      (error) => backgroundError('watch', 'live.poll_failed', error),
      pace.livePollMs,
    ),
    readJob: createJobReader(sql),
    log,
    observer,
  };
  imports.attach(runtime);
  warmSchemas(tools);
  const sweeps = new SweepTimer(runtime);
  // Without SMTP a worker must not deliver email: the inbox is a page of the web process.
  const unseen = role === 'worker' && !settings.smtpUrl;
  const money = new MoneyTimer(
    runtime,
    unseen ? MONEY_JOBS.filter(({ name }) => name !== 'mails') : MONEY_JOBS,
  );
  if (role !== 'command') {
    void logConfinement(log);
    running.start();
    sweeps.start();
    money.start();
    switches.start();
    imports.start({ checks: role === 'web' });
  }
  // The web process also delivers the events of a worker's charges.
  const { fakeStripe } = runtime.ports;
  if (role === 'web') fakeStripe?.start();
  const works = role === 'worker' ? settings.jobs !== 'off' : role === 'web' && settings.jobs === 'on';
  const queue = works ? startWorker(runtime) : null;
  return {
    runtime,
    async close(boundMs = DRAIN_MS) {
      // Waiting clients get the current state and new calls are refused. Queued calls stay for
      // other workers.
      const drained = running.drain(boundMs);
      const moneyStopped = money.stop();
      notices.close();
      switches.close();
      const importsStopped = imports.close();
      runtime.live.close();
      const stopped = queue?.stop();
      await drained;
      await Promise.race([
        Promise.all([stopped, sweeps.stop(), moneyStopped, importsStopped, fakeStripe?.close()]),
        wait(BACKGROUND_STOP_MS),
      ]);
      closeWorkers();
      runtime.ports.browser.close();
      await observer.close(TRACES_MS);
      await close();
    },
  };
}

function startWorker(runtime: Runtime): QueueWorker {
  const { settings, log, observer } = runtime;
  return startQueueWorker({
    databaseUrl: settings.databaseUrl,
    concurrency: settings.jobConcurrency,
    work: (callId) => runQueuedCall(runtime, callId),
    onError: (error) => {
      observer.metrics.backgroundErrors.inc({ work: 'queue' });
      log.error('queue.failed', { error });
    },
  });
}
