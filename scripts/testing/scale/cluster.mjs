// The processes that compose.yaml describes, without Docker: the same roles and settings, on one PostgreSQL of their own, on
// loopback. In front of them stands a client that goes from one to the next, as a proxy does, and leaves out the dead.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { tsImport } from 'tsx/esm/api';
import { runAdmin } from '../admin.mjs';
import { openDatabase } from '../crash/database.mjs';
import { removeTestFolder } from '../gateway.mjs';
import { interpolate, readCompose } from './compose.mjs';
import { Member } from './member.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const LOOK_MS = 50;

/**
 * @typedef {object} Running
 * @property {string} url of the database
 * @property {() => Promise<void>} stop
 */

/** All processes of one gateway. */
export class Cluster {
  #turn = 0;
  #postgres;
  #folder;

  /**
   * @param {Member[]} members
   * @param {{ postgres: Running, folder: string }} ground
   */
  constructor(members, { postgres, folder }) {
    this.members = members;
    this.webs = members.filter(({ port }) => port !== null);
    this.#postgres = postgres;
    this.#folder = folder;
    this.sql = openDatabase(postgres.url);
  }

  /**
   * @param {Record<string, string>} settings on top of what compose.yaml says
   * @param {Record<string, Record<string, string>>} [own] of single services
   */
  static async start(settings, own = {}) {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-cluster-'));
    const { startPostgres } = await tsImport('../../../server/boot/embedded-postgres/start-postgres.ts', {
      parentURL: import.meta.url,
      tsconfig: `${root}tsconfig.json`,
    });
    const postgres = await startPostgres({ dataDir: folder });
    const cluster = new Cluster(await membersOf(folder, postgres.url, settings, own), { postgres, folder });
    try {
      const [first, ...others] = cluster.members;
      // The first brings the database to its version while the others would only wait for it.
      await first?.start();
      await Promise.all(others.map((member) => member.start()));
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** The next web process that is up. */
  get baseUrl() {
    for (let n = 0; n < this.webs.length; n++) {
      const web = this.webs[this.#turn++ % this.webs.length];
      if (web?.up) return web.baseUrl;
    }
    return this.webs[0]?.baseUrl ?? '';
  }

  async whenUp() {
    while (!this.webs.some(({ up }) => up)) await sleep(LOOK_MS);
  }

  /** @param {string} name */
  member(name) {
    const found = this.members.find((member) => member.name === name);
    if (!found) throw new Error(`compose.yaml has no ${name}`);
    return found;
  }

  admin = (/** @type {string[]} */ ...args) => runAdmin(this.webs[0]?.env ?? process.env, args);

  log() {
    return this.members.map(({ name, log }) => `── ${name} ──\n${log.call(this.member(name))}`).join('\n');
  }

  /** Where the processes keep what is theirs. */
  get folder() {
    return this.#folder;
  }

  async stop() {
    await this.sql.end({ timeout: 0 });
    await Promise.all(this.members.map((member) => member.stop()));
    await this.#postgres.stop();
    await removeTestFolder(this.#folder);
  }
}

/**
 * @param {string} folder
 * @param {string} databaseUrl
 * @param {Record<string, string>} settings
 * @param {Record<string, Record<string, string>>} own
 */
async function membersOf(folder, databaseUrl, settings, own) {
  const { services } = readCompose();
  // What stands in .env: deploy/make-env.sh makes the secrets.
  const secret = () => randomBytes(32).toString('base64');
  const file = {
    POSTGRES_PASSWORD: 'not-used',
    BASE_URL: 'http://localhost:3000',
    AUTH_SECRET: secret(),
    VAULT_KEY: secret(),
    CLAIM_SECRET: secret(),
    SMTP_URL: 'smtp://127.0.0.1:9',
    OPERATOR_EMAIL: 'operator@example.test',
  };
  /** @type {Member[]} */
  const members = [];
  for (const [name, service] of Object.entries(services)) {
    if (service.image !== 'tool-gateway') continue;
    const isWorker = service.command?.includes('scripts/worker.mjs') ?? false;
    const given = Object.entries(service.environment ?? {}).map(([key, value]) => [
      key,
      interpolate(value, file),
    ]);
    const port = await freePort();
    members.push(
      new Member(name, {
        args: service.command?.slice(1) ?? ['serve.mjs'],
        port: isWorker ? null : port,
        env: /** @type {NodeJS.ProcessEnv} */ ({
          ...withoutSettings(),
          ...file,
          ...Object.fromEntries(given),
          // What differs without containers: names, ports and folders of one machine.
          DATABASE_URL: databaseUrl,
          HOST: '127.0.0.1',
          PORT: isWorker ? '3000' : String(port),
          ...(isWorker ? { WORKER_PORT: String(port) } : {}),
          DATA_DIR: join(folder, name),
          ASSETS_DIR: join(folder, 'files'),
          ...settings,
          ...own[name],
        }),
      }),
    );
  }
  return members;
}

/** The environment without a setting of the gateway: empty is absent, and wins over a developer's .env. */
function withoutSettings() {
  const documented = readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^# ([A-Z_]+)=/gm);
  const { NODE_ENV: _, ...rest } = process.env;
  return { ...rest, ...Object.fromEntries([...documented].map(([, name]) => [String(name), ''])) };
}

/** @returns {Promise<number>} a port nobody listens on at this moment */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
