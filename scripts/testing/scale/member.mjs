// One process of a gateway that has several: started as compose.yaml says, killed, started again.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { killProcess, startNode, stopProcess } from '../processes.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const START_MS = 60_000;
const LOOK_MS = 50;
const KIB = 1024;

/** @typedef {import('../processes.mjs').ChildProcess} ChildProcess */

/** A web process or a worker; always at the same address. */
export class Member {
  kills = 0;
  up = false;
  /** The longest time from a kill until the next process was ready. */
  longestDownMs = 0;
  #logs = '';
  /** @type {ChildProcess | undefined} */
  #child;

  /**
   * @param {string} name
   * @param {{ args: string[], env: NodeJS.ProcessEnv, port: number | null }} how port: null for a worker
   */
  constructor(name, { args, env, port }) {
    this.name = name;
    this.args = args;
    this.env = env;
    this.port = port;
  }

  get baseUrl() {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid() {
    return this.#child?.pid ?? 0;
  }

  log() {
    return this.#logs;
  }

  async start() {
    const child = startNode(this.args, {
      cwd: root,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#child = child;
    let own = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        this.#logs += chunk;
        own += chunk;
      });
    for (const end = performance.now() + START_MS; performance.now() < end; await sleep(LOOK_MS)) {
      if (child.exitCode !== null) break;
      if (this.port === null ? own.includes('Worker ready') : own.includes('Ctrl-C stops it')) {
        this.up = true;
        return;
      }
    }
    throw new Error(`${this.name} did not start:\n${own}`);
  }

  /** Ends it as a crash does, and starts the next one. @param {number} [downMs] how long nobody notices */
  async dieAndReturn(downMs = 0) {
    const begun = performance.now();
    this.up = false;
    if (this.#child) await killProcess(this.#child);
    this.kills++;
    await sleep(downMs);
    await this.start();
    this.longestDownMs = Math.max(this.longestDownMs, performance.now() - begun);
  }

  /** Bytes of memory that it occupies now. */
  residentBytes() {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * KIB;
  }

  async stop() {
    this.up = false;
    if (this.#child) await stopProcess(this.#child);
  }
}
