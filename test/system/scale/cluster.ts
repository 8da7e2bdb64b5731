// Runs the processes of compose.yaml without Docker, with the same roles and settings on one
// PostgreSQL. The base URL alternates between the running web processes, like a proxy.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunningPostgres, startPostgres } from '@/server/main/boot/embedded-postgres/start-postgres';
import { runAdmin } from '../fixtures/admin';
import { openDatabase, type Sql } from '../fixtures/embedded-database';
import { findFreePort } from '../fixtures/free-port';
import { reapFolderLater } from '../fixtures/processes';
import { removeTestFolder } from '../fixtures/test-folder.mjs';
import { waitUntil } from '../fixtures/wait-until';
import { interpolate, listGatewayServices } from './compose';
import { Member } from './member';

type Settings = Record<string, string>;

const root = fileURLToPath(new URL('../../..', import.meta.url));

export class Cluster {
  readonly members: Member[];
  readonly webs: Member[];
  readonly sql: Sql;
  readonly #postgres: RunningPostgres;
  readonly #folder: string;
  readonly #unregisterFolder: () => void;
  #turn = 0;

  private constructor(members: Member[], postgres: RunningPostgres, folder: string, keepFolder: () => void) {
    this.#unregisterFolder = keepFolder;
    this.members = members;
    this.webs = members.filter(({ port }) => port !== null);
    this.sql = openDatabase(postgres.url);
    this.#postgres = postgres;
    this.#folder = folder;
  }

  /**
   * Starts the processes.
   * @param settings in addition to those of compose.yaml
   * @param ofService further settings by service name
   */
  static async start(settings: Settings, ofService: Record<string, Settings> = {}): Promise<Cluster> {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-cluster-'));
    const keepFolder = reapFolderLater(folder);
    const postgres = await startPostgres({ dataDir: folder });
    const members = await createMembers(folder, postgres.url, settings, ofService);
    const cluster = new Cluster(members, postgres, folder, keepFolder);
    try {
      const [first, ...others] = members;
      // The first runs the migrations; the others would only wait for it.
      await first?.start();
      await Promise.all(others.map((member) => member.start()));
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** The URL of the next running web process. */
  get baseUrl(): string {
    const up = this.webs.filter((web) => web.up);
    return (up[this.#turn++ % up.length] ?? this.webs[0])?.baseUrl ?? '';
  }

  async whenUp(): Promise<void> {
    await waitUntil('a web process is up', () => this.webs.some(({ up }) => up));
  }

  readonly admin = async (...args: string[]): Promise<unknown> =>
    await runAdmin(this.webs[0]?.env ?? process.env, args);

  log(): string {
    return this.members.map((member) => `── ${member.name} ──\n${member.log()}`).join('\n');
  }

  async stop(): Promise<void> {
    await this.sql.end({ timeout: 0 });
    await Promise.all(this.members.map((member) => member.stop()));
    await this.#postgres.stop();
    await removeTestFolder(this.#folder);
    this.#unregisterFolder();
  }
}

async function createMembers(
  folder: string,
  databaseUrl: string,
  settings: Settings,
  ofService: Record<string, Settings>,
): Promise<Member[]> {
  const dotEnv = makeDotEnv();
  return await Promise.all(
    listGatewayServices().map(async ([name, { command, environment = {} }]) => {
      const isWorker = command?.includes('scripts/worker.mjs') ?? false;
      const port = await findFreePort();
      const given = Object.entries(environment).map(([key, value]) => [key, interpolate(value, dotEnv)]);
      const env = {
        ...withoutSettings(),
        ...dotEnv,
        ...Object.fromEntries(given),
        // Without containers, hosts, ports and folders differ.
        DATABASE_URL: databaseUrl,
        HOST: '127.0.0.1',
        PORT: isWorker ? '3000' : String(port),
        ...(isWorker ? { WORKER_PORT: String(port) } : {}),
        DATA_DIR: join(folder, name),
        ASSETS_DIR: join(folder, 'files'),
        ...settings,
        ...ofService[name],
      };
      return new Member(name, {
        args: command?.slice(1) ?? ['serve.mjs'],
        port: isWorker ? null : port,
        env,
      });
    }),
  );
}

/** Creates the settings that deploy/make-env.sh writes to .env. */
function makeDotEnv(): Settings {
  const makeSecret = () => randomBytes(32).toString('base64');
  return {
    POSTGRES_PASSWORD: 'not-used',
    BASE_URL: 'http://localhost:3000',
    AUTH_SECRET: makeSecret(),
    VAULT_KEY: makeSecret(),
    CLAIM_SECRET: makeSecret(),
    SMTP_URL: 'smtp://127.0.0.1:9',
    OPERATOR_EMAIL: 'operator@example.test',
  };
}

/** Sets every setting to empty, which counts as unset and overrides a .env file. */
function withoutSettings(): NodeJS.ProcessEnv {
  const documented = readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^# ([A-Z_]+)=/gm);
  const cleared: NodeJS.ProcessEnv = { ...process.env };
  for (const [, name = ''] of documented) cleared[name] = '';
  // Remove the value of the test runner; the gateway sets its own.
  Reflect.deleteProperty(cleared, 'NODE_ENV');
  return cleared;
}
