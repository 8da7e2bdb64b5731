// One process of a cluster, started like a service of compose.yaml; it can be killed and restarted.
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { killProcess, startNode, stopProcess } from '../fixtures/processes';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** As in fixtures/gateway.ts. */
const START_MS = 180_000;
const INTERVAL_MS = 50;
const KIB = 1024;

interface MemberOptions {
  args: string[];
  env: NodeJS.ProcessEnv;
  /** Null for a worker. */
  port: number | null;
}

/** A web process or a worker; its URL does not change. */
export class Member {
  readonly name: string;
  readonly env: NodeJS.ProcessEnv;
  readonly port: number | null;
  kills = 0;
  up = false;
  /** The longest time between a kill and the next process being ready. */
  longestDownMs = 0;
  readonly #args: string[];
  #logs = '';
  #child: ChildProcess | undefined;

  constructor(name: string, { args, env, port }: MemberOptions) {
    this.name = name;
    this.env = env;
    this.port = port;
    this.#args = args;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  log(): string {
    return this.#logs;
  }

  async start(): Promise<void> {
    const child = startNode(this.#args, {
      cwd: root,
      env: this.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#child = child;
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        this.#logs += chunk;
        output += chunk;
      });
    const ready = this.port === null ? 'Worker ready' : 'Send SIGTERM to stop';
    for (const end = performance.now() + START_MS; performance.now() < end; await sleep(INTERVAL_MS)) {
      if (child.exitCode !== null) break;
      if (!output.includes(ready)) continue;
      this.up = true;
      return;
    }
    throw new Error(`${this.name} did not start:\n${output}`);
  }

  /**
   * Kills the process, like a crash, and starts the next one.
   * @param whileDown awaited in between
   */
  async killAndRestart(whileDown: () => Promise<unknown>): Promise<void> {
    const started = performance.now();
    this.up = false;
    if (this.#child) await killProcess(this.#child);
    this.kills++;
    await whileDown();
    await this.start();
    this.longestDownMs = Math.max(this.longestDownMs, performance.now() - started);
  }

  /** Returns its resident memory in bytes. */
  readResidentBytes(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * KIB;
  }

  async stop(): Promise<void> {
    this.up = false;
    if (this.#child) await stopProcess(this.#child);
  }
}
