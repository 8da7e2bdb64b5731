import type { connect } from '@/db/client';
import { ContentRecorder } from '../calls/contents/content-recorder';
import { RunningCalls } from '../calls/execution/running-calls';
import { CallFileStore } from '../calls/files/call-file-store';
import { createCallFlush } from '../calls/flush';
import { createJobReader } from '../calls/jobs/read-job';
import { ReceiptSigner } from '../calls/receipts/receipt-signer';
import { RefusalRecorder } from '../calls/refusals/refusal-recorder';
import { KeyStates } from '../calls/run-first/key-states';
import { CallCredentials } from '../catalog/credentials/call-credentials';
import { ProviderRegistry } from '../catalog/credentials/provider-registry';
import { ImportedTools } from '../catalog/imports/imported-tools';
import { createChangingCatalog } from '../catalog/tools/catalog';
import { ToolFacts } from '../catalog/tools/tool-facts';
import { ToolSwitches } from '../catalog/tools/tool-switches';
import { AuthFailureLimiters } from '../core/limits/auth-failure-limiter';
import { createAccountWatch } from '../core/live/create-watch';
import { Notices } from '../core/notices/notices';
import type { Runtime } from '../core/runtime';
import type { Deprecations } from '../core/versions/deprecations';
import { Versions } from '../core/versions/versions';
import { KeyCache } from '../identity/keys/key-cache';
import { findOperator } from '../identity/sessions/find-operator';
import { getCachedActor, resolveActor } from '../identity/sessions/resolve-actor';
import { type Logger, withContext } from '../kit/log';
import type { WebProcessGroup } from '../kit/web-process-group';
import { createReadPlaces } from '../platform/database/read-places';
import { observePorts } from '../platform/observe/observe-outbound';
import { Observer } from '../platform/observe/observer';
import { choosePorts } from '../platform/ports/choose-ports';
import type { DeliverEvent, Ports, Vault } from '../platform/ports/ports';
import type { Pace } from '../platform/settings/pace';
import type { BootedSettings } from '../platform/settings/settings';
import { SpendingLimitReports } from '../platform/webhooks/spending-limit-reports';
import type { ToolDefinition } from '../tools/sdk/define-tool';
import { Engines } from '../tools/sdk/engines';
import { createToolRegistry } from '../tools/tool-lookup';

export interface RuntimeOptions {
  settings: BootedSettings;
  pool: ReturnType<typeof connect>;
  tools: readonly ToolDefinition[];
  log: Logger;
  pace: Readonly<Pace>;
  ports?: Partial<Ports> | undefined;
  /** Replaces the table of deprecations. */
  deprecations?: Deprecations | undefined;
  /** Receives the events of the fake Stripe, if there is no server to post them to. */
  deliver?: DeliverEvent;
  /** The web processes behind the same port, if there are several. */
  group?: WebProcessGroup | undefined;
}

/** Creates the objects of a runtime on a pool: ports, catalogue, group commits. */
export function createRuntime({
  settings,
  pool,
  tools,
  log: plainLog,
  pace,
  ports,
  deprecations,
  deliver,
  group,
}: RuntimeOptions): Runtime {
  const { sql, db } = pool;
  const { leaseSeconds, quotas } = settings;
  // Called only after the start, when the ports exist.
  const seal: Vault['seal'] = (plain, context) => allPorts.vault.seal(plain, context);
  const flush = createCallFlush(sql, { leaseSeconds, quotas, retryMs: pace.callRetryMs, seal });
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
  const observer = new Observer({ settings, sql, notices, running, flush, pool, pace, group }, log);
  const { tracing } = observer;
  if (tracing) log = withContext(plainLog, () => tracing.ids());
  const registry = createToolRegistry(tools);
  const catalog = createChangingCatalog(tools);
  const slots = new ProviderRegistry(settings);
  const imports = new ImportedTools({ builtIn: tools, registry, catalog, slots });
  const facts = new ToolFacts(db);
  const switches = new ToolSwitches({ sql, notices, log, onChange: () => facts.invalidate() });
  const allPorts = observePorts(observer, { ...choosePorts({ settings, log, sql, deliver }), ...ports });
  const runtime: Runtime = {
    settings,
    quotas,
    sql,
    db,
    ports: allPorts,
    tools: registry,
    engines: new Engines(pace.engineSearchMs),
    catalog,
    slots,
    credentials: new CallCredentials({ sql, log, ports: allPorts, slots }),
    imports,
    facts,
    switches,
    versions: new Versions(settings.baseUrl, deprecations),
    flush,
    actors: { recall: getCachedActor, resolve: resolveActor, findOperator },
    keyCache: new KeyCache(),
    keyStates: new KeyStates(quotas, (keyId) => running.countOf(keyId)),
    authFailures: new AuthFailureLimiters(),
    reads: createReadPlaces(settings.databasePoolSize),
    running,
    notices,
    live: createAccountWatch(
      sql,
      (error) => backgroundError('watch', 'live.poll_failed', error),
      pace.livePollMs,
    ),
    callContents: new ContentRecorder({ sql, notices, vault: allPorts.vault, log, settings }),
    callFiles: new CallFileStore({ db, log, ports: allPorts, settings }),
    refusals: new RefusalRecorder({ sql, log, onLost: (count) => observer.metrics.lostRefusals.inc(count) }),
    readJob: createJobReader(sql),
    receiptSigner: new ReceiptSigner({ db, vault: allPorts.vault }),
    log,
    observer,
    spendingLimits: new SpendingLimitReports({ sql, log }),
  };
  imports.attach(runtime);
  return runtime;
}
