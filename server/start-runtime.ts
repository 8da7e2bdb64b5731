import { connect } from '@/db/client';
import { createCallFlush } from './calls/flush';
import { RunningCalls } from './calls/running-calls';
import { createCatalog } from './catalog/catalog';
import { warmSchemas } from './catalog/describe-tool';
import { ToolFacts } from './catalog/tool-facts';
import { KeyMemory } from './keys/key-memory';
import { quotasOf } from './limits/quotas';
import { createLogger, type Logger } from './log';
import { choosePorts } from './ports/choose-ports';
import type { Ports } from './ports/ports';
import { SweepTimer } from './retention/sweep-timer';
import type { Runtime } from './runtime';
import type { BootedSettings } from './settings';
import { closeWorkers } from './tools/cpu-pool';
import type { ToolDefinition } from './tools/define-tool';
import { tools as builtInTools } from './tools/registry';
import { createToolLookup } from './tools/tool-lookup';

interface StartOptions {
  settings: BootedSettings;
  tools?: readonly ToolDefinition[];
  log?: Logger;
  ports?: Partial<Ports>;
}

export interface StartedRuntime {
  runtime: Runtime;
  /** Lets running calls end within the bound, then lets go of the database. */
  close(boundMs?: number): Promise<void>;
}

const DRAIN_MS = 15_000;

/** Everything a process needs to serve: pool, ports, catalogue, group commits, heartbeat and reaper. */
export function startRuntime({
  settings,
  tools = builtInTools,
  log = createLogger(),
  ports,
}: StartOptions): StartedRuntime {
  const { sql, db, close } = connect(settings.databaseUrl, settings.databasePoolSize);
  const quotas = quotasOf(settings);
  const flush = createCallFlush(sql, { leaseSeconds: settings.leaseSeconds, quotas });
  const running = new RunningCalls(sql, flush, (error) => log.error('heartbeat failed', { error }));
  const runtime: Runtime = {
    settings,
    quotas,
    sql,
    db,
    ports: { ...choosePorts(settings, log), ...ports },
    tools: createToolLookup(tools),
    catalog: createCatalog(tools),
    facts: new ToolFacts(db),
    flush,
    keyMemory: new KeyMemory(),
    running,
    log,
  };
  warmSchemas(tools);
  running.start();
  const sweeps = new SweepTimer(runtime);
  sweeps.start();
  return {
    runtime,
    async close(boundMs = DRAIN_MS) {
      await running.drain(boundMs);
      await sweeps.stop();
      closeWorkers();
      await close();
    },
  };
}
