// A gateway that is killed and started again on the same data, always at the same address.
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGateway } from '../gateway.mjs';
import { embeddedDatabase, killPostgres, openDatabase } from './database.mjs';

const POLL_MS = 50;

/** One address, one data folder, one process after the other. */
export class MortalGateway {
  kills = 0;
  databaseKills = 0;
  /** Restarts that found PostgreSQL running under the pid it had. */
  adoptions = 0;
  /** The longest time from a kill until the next process was ready. */
  longestDownMs = 0;
  #settings;
  #gateway;
  #sql;
  #logs = '';
  #up = true;

  /**
   * @param {Record<string, string>} settings
   * @param {import('../gateway.mjs').TestGateway} gateway
   */
  constructor(settings, gateway) {
    this.#settings = { ...settings, DATA_DIR: String(gateway.env.DATA_DIR) };
    this.#gateway = gateway;
    this.#sql = openDatabase(embeddedDatabase(this.dataDir).url);
  }

  /** @param {Record<string, string>} settings */
  static async start(settings) {
    const fixed = { ...settings, PORT: String(await freePort()) };
    return new MortalGateway(fixed, await startGateway(fixed));
  }

  get dataDir() {
    return String(this.#settings.DATA_DIR);
  }

  get baseUrl() {
    return this.#gateway.baseUrl;
  }

  get admin() {
    return this.#gateway.admin;
  }

  /** A connection to the database as it is now. */
  get sql() {
    return this.#sql;
  }

  /** All that its processes have written. */
  log() {
    return this.#logs + this.#gateway.log();
  }

  async whenUp() {
    while (!this.#up) await sleep(POLL_MS);
  }

  /** @param {{ withDatabase: boolean }} what */
  async dieAndReturn({ withDatabase }) {
    this.#up = false;
    const begun = performance.now();
    const before = embeddedDatabase(this.dataDir).pid;
    if (withDatabase) this.killDatabase();
    await this.#gateway.kill();
    this.kills++;
    this.#logs += this.#gateway.log();
    this.#gateway = await startGateway(this.#settings);
    this.longestDownMs = Math.max(this.longestDownMs, performance.now() - begun);
    const now = embeddedDatabase(this.dataDir);
    if (now.pid === before) this.adoptions++;
    void this.#sql.end({ timeout: 0 });
    this.#sql = openDatabase(now.url);
    this.#up = true;
  }

  killDatabase() {
    killPostgres(this.dataDir);
    this.databaseKills++;
  }

  /** Ends it in peace and removes its data. */
  async stop() {
    await this.#sql.end({ timeout: 0 });
    await this.#gateway.stop();
  }
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
