import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { type BenchAccounts, makeAccounts } from './accounts';
import { type Meters, openMeters } from './meters';
import { buildNextNothing } from './next-nothing';
import { type Helper, startHelper } from './processes';
import { makeTargets, type ServerName, type Target } from './targets';
import { importUpstream } from './upstream';

/** Everything that a bench needs: servers, load generator, database. */
export interface Stage {
  servers: Record<ServerName | 'upstream', Helper>;
  generator: Helper;
  meters: Meters;
  databaseUrl: string;
  accounts: BenchAccounts;
  targets: Target[];
  close(): Promise<void>;
}

/** Far above what a bench reaches: limits are checked as usual but never reject. */
const LIMITS = {
  ...UNLIMITED_RATES,
  CONCURRENT_CALLS: '10000',
};

/** Starts everything on a fresh data folder. On an error it stops what it started. */
export async function openStage(root: string): Promise<Stage> {
  const undo: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const step of undo.reverse()) await step();
  };
  const start = async (file: string, env: Record<string, string> = {}, execArgv?: string[]) => {
    const helper = await startHelper(join(root, 'bench', file), env, execArgv);
    undo.push(() => helper.stop());
    return helper;
  };
  try {
    await buildNextNothing(root);
    const dataDir = await mkdtemp(join(tmpdir(), 'gateway-bench-'));
    undo.push(() => rm(dataDir, { recursive: true, force: true }));
    let clusterDir = '';
    // If root runs the gateway, the cluster may be in another folder.
    undo.push(async () => {
      if (clusterDir !== '' && !clusterDir.startsWith(dataDir))
        await rm(dirname(clusterDir), { recursive: true, force: true });
    });
    // Empty, not unset: an .env file of the checkout must not select another database.
    const own = {
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      BASE_URL: '',
      GATEWAY_ENV: 'local',
      HOST: '127.0.0.1',
    };
    const gateway = await start('servers/gateway.mjs', { ...own, ...LIMITS, PORT: '0' });
    const { databaseUrl } = gateway;
    const meters = await openMeters(databaseUrl);
    undo.push(() => meters.close());
    clusterDir = await meters.dataDirectory();
    const accounts = await makeAccounts(databaseUrl);
    const servers = {
      gateway,
      upstream: await start('servers/upstream.mjs'),
      echo: await start('servers/echo.mjs'),
      next: await start('servers/next.mjs'),
      naive: await start('servers/naive.ts', { DATABASE_URL: databaseUrl }, ['--import', 'tsx']),
    };
    await importUpstream(`http://127.0.0.1:${servers.upstream.port}`, {
      root,
      folder: dataDir,
      environment: { ...own, DATABASE_URL: databaseUrl },
      gatewayPort: gateway.port,
    });
    const generator = await start('generator.mjs');
    return {
      servers,
      generator,
      meters,
      databaseUrl,
      accounts,
      targets: makeTargets(accounts),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
