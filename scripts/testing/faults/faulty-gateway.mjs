// Two processes on one database: the one that owns it, and the one under test, which reaches it through a line that breaks.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedDatabase, openDatabase } from '../crash/database.mjs';
import { FaultProxy } from '../fault-proxy.mjs';
import { startGateway } from '../gateway.mjs';

const SECRETS = ['AUTH_SECRET', 'VAULT_KEY', 'CLAIM_SECRET'];
const POLL_MS = 100;
const RESTART_MS = 30_000;

/** The gateway under test, its line, and its database as seen beside that line. */
export class FaultyGateway {
  #owner;
  #tested;
  #sql;
  /** The line between the gateway and its database. */
  proxy;

  /**
   * @param {import('../gateway.mjs').TestGateway} owner
   * @param {import('../gateway.mjs').TestGateway} tested
   * @param {FaultProxy} proxy
   */
  constructor(owner, tested, proxy) {
    this.#owner = owner;
    this.#tested = tested;
    this.proxy = proxy;
    this.#sql = openDatabase(this.#database.url);
  }

  /** @param {Record<string, string>} settings of the one under test */
  static async start(settings) {
    const secrets = Object.fromEntries(SECRETS.map((name) => [name, randomBytes(32).toString('base64')]));
    // It only keeps the database: every queued call is for the one under test.
    const owner = await startGateway({ ...secrets, JOBS: 'external' });
    const { url } = embeddedDatabase(String(owner.env.DATA_DIR));
    const proxy = await FaultProxy.start({ port: Number(new URL(url).port) });
    const tested = await startGateway({ ...secrets, ...settings, DATABASE_URL: proxy.through(url) });
    return new FaultyGateway(owner, tested, proxy);
  }

  get #database() {
    return embeddedDatabase(String(this.#owner.env.DATA_DIR));
  }

  get baseUrl() {
    return this.#tested.baseUrl;
  }

  get pid() {
    return this.#tested.pid;
  }

  /** The operator's command, beside the line that breaks. */
  get admin() {
    return this.#owner.admin;
  }

  get sql() {
    return this.#sql;
  }

  /** For the clients of the crash test: this process never goes away. */
  async whenUp() {}

  log() {
    return this.#tested.log();
  }

  /**
   * Ends PostgreSQL, and waits until its keeper has started it again.
   * @param {'SIGKILL' | 'SIGINT'} signal a crash, or a fast shutdown
   */
  async restartDatabase(signal) {
    const before = this.#database.pid;
    process.kill(before, signal);
    for (const end = performance.now() + RESTART_MS; performance.now() < end; await sleep(POLL_MS)) {
      const now = this.#databaseOrNull();
      if (!now || now.pid === before) continue;
      const sql = openDatabase(now.url);
      const answers = await sql`select 1`.then(
        () => true,
        () => false,
      );
      if (answers) {
        this.proxy.aim({ port: Number(new URL(now.url).port) });
        void this.#sql.end({ timeout: 0 });
        this.#sql = sql;
        return;
      }
      await sql.end({ timeout: 0 });
    }
    throw new Error('PostgreSQL did not come back');
  }

  #databaseOrNull() {
    try {
      return this.#database;
    } catch {
      return null;
    }
  }

  async stop() {
    await this.proxy.pass();
    await this.#tested.stop();
    await this.#sql.end({ timeout: 0 });
    await this.proxy.stop();
    await this.#owner.stop();
  }
}
