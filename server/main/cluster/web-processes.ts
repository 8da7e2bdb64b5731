import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { guarded } from '../../kit/guarded';
import type { Logger } from '../../kit/log';
import { RestartBackoff } from '../../kit/restart-backoff.mjs';
import type { ReplacementReason } from '../../platform/observe/group-metrics';
import { BootError } from '../../platform/process/boot-error';
import type { StopOptions } from '../boot/serve';

/** A start that has too little processor time runs into the time limits of the database. */
const STARTS_AT_ONCE = Math.ceil(availableParallelism() / 2);

/** How a process ended. */
export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A web process as its primary sees it. */
export interface WebProcess {
  readonly pid: number;
  /** Resolves when it accepts connections. */
  readonly ready: Promise<void>;
  readonly ended: Promise<ProcessEnd>;
  /** Asks it to finish its work and to exit. */
  drain(options: StopOptions): void;
  kill(): void;
}

/** Time limits in milliseconds; shorter in tests. */
export interface WebProcessLimits {
  start: number;
  drain: number;
  firstWait?: number;
}

interface Options {
  count: number;
  fork(): WebProcess;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  limits: WebProcessLimits;
  onReplaced?(reason: ReplacementReason): void;
  /** No web process serves, and new ones keep failing to start. */
  onHopeless(): void;
}

interface Member {
  process: WebProcess;
  state: 'starting' | 'ready' | 'draining';
  /** Started by a rolling restart, next to the process that it replaces. */
  replaces: boolean;
  startedAt: number;
}

/** Keeps a number of web processes running, and replaces them one at a time on request. */
export class WebProcesses {
  readonly #options: Options;
  readonly #members = new Set<Member>();
  readonly #backoff: RestartBackoff;
  readonly #waits = new AbortController();
  #phase: 'starting' | 'running' | 'stopping' = 'starting';
  /** Replacements take turns. */
  #turn: Promise<unknown> = Promise.resolve();
  #restartsWaiting = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#backoff = new RestartBackoff(options.limits.firstWait);
  }

  /** The processes that serve requests, or finish those they have. */
  get serving(): WebProcess[] {
    return [...this.#members].filter(({ state }) => state !== 'starting').map(({ process }) => process);
  }

  get readyCount(): number {
    return [...this.#members].filter(({ state }) => state === 'ready').length;
  }

  /**
   * Starts all.
   * @throws BootError if one ends before it is ready; it has printed the reason
   */
  async start(): Promise<void> {
    let left = this.#options.count;
    const startInTurn = async () => {
      while (left-- > 0 && this.#phase === 'starting') await this.#startFirst();
    };
    await Promise.all(Array.from({ length: Math.min(left, STARTS_AT_ONCE) }, startInTurn));
    if (this.#phase !== 'starting') return;
    this.#phase = 'running';
    // One that was ready may have crashed while others started.
    this.#fill();
  }

  async #startFirst(): Promise<void> {
    const member = this.#add();
    await this.#untilReadyOrEnded(member);
    if (member.state === 'starting' && this.#phase === 'starting')
      throw new BootError('A web process ended before it was ready: not starting the others.');
  }

  /** Replaces all processes, one at a time. Stops at the first replacement that fails. */
  restartAll(): Promise<void> {
    // One that waits will start after every change that this one is for.
    if (this.#restartsWaiting > 0) return this.#turn.then(() => undefined);
    this.#restartsWaiting++;
    return this.#inTurn(async () => {
      this.#restartsWaiting--;
      const old = [...this.#members].filter(({ state }) => state !== 'draining');
      const { log } = this.#options;
      log.info('web_processes.restart_started', { processes: old.length });
      for (const member of old) {
        if (this.#phase !== 'running') return;
        if (await this.#replace(member)) continue;
        log.error('web_processes.restart_stopped', { reason: 'a new process did not become ready' });
        return;
      }
      log.info('web_processes.restart_finished', { processes: old.length });
    });
  }

  /** Replaces one process. */
  replace(process: WebProcess): Promise<void> {
    return this.#inTurn(async () => {
      for (const member of this.#members) if (member.process === process) await this.#replace(member);
    });
  }

  /** Drains all at once. Resolves when none is left. */
  async stop(delaySeconds: number): Promise<void> {
    this.#phase = 'stopping';
    this.#waits.abort();
    const members = [...this.#members];
    await Promise.all(members.map((member) => this.#drain(member, { delaySeconds })));
  }

  /** Ends all without waiting for their work. */
  killAll(): void {
    this.#phase = 'stopping';
    this.#waits.abort();
    for (const { process } of this.#members) process.kill();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  #add(replaces = false): Member {
    const process = this.#options.fork();
    const member: Member = { process, state: 'starting', replaces, startedAt: performance.now() };
    this.#members.add(member);
    const late = setTimeout(() => this.#killLate(member), this.#options.limits.start).unref();
    void process.ready.then(() => {
      clearTimeout(late);
      if (member.state !== 'starting') return;
      member.state = 'ready';
      this.#fill();
    });
    void process.ended.then((end) => {
      clearTimeout(late);
      this.#onEnd(member, end);
    });
    return member;
  }

  #killLate({ process }: Member): void {
    this.#options.log.error('web_process.start_timed_out', { webPid: process.pid });
    process.kill();
  }

  async #untilReadyOrEnded({ process }: Member): Promise<void> {
    await Promise.race([process.ready, process.ended]);
  }

  /** @returns false if the new process did not become ready; the old one continues */
  async #replace(old: Member): Promise<boolean> {
    if (this.#phase !== 'running' || old.state === 'draining' || !this.#members.has(old)) return true;
    const next = this.#add(true);
    await this.#untilReadyOrEnded(next);
    next.replaces = false;
    if (next.state === 'starting') {
      this.#options.log.error('web_process.replacement_failed', {
        webPid: next.process.pid,
        oldPid: old.process.pid,
      });
      // The old one may have crashed meanwhile.
      this.#fill();
      return false;
    }
    this.#options.onReplaced?.('restart');
    await this.#drain(old, { delaySeconds: 0, handOver: true });
    return true;
  }

  async #drain(member: Member, options: StopOptions): Promise<void> {
    member.state = 'draining';
    member.process.drain(options);
    const limit = new AbortController();
    const late = sleep(this.#options.limits.drain + options.delaySeconds * 1000, 'late', {
      signal: limit.signal,
    });
    if ((await Promise.race([member.process.ended, late])) === 'late') {
      this.#options.log.warn('web_process.drain_timed_out', { webPid: member.process.pid });
      member.process.kill();
      await member.process.ended;
    }
    limit.abort();
    await late.catch(() => undefined);
  }

  #onEnd(member: Member, { code, signal }: ProcessEnd): void {
    const { state } = member;
    this.#members.delete(member);
    if (this.#phase !== 'running' || state === 'draining' || member.replaces) return;
    const { log, onReplaced, onHopeless } = this.#options;
    const uptimeMs = performance.now() - member.startedAt;
    const othersServe = this.readyCount > 0;
    const waitMs = this.#backoff.recordCrash({ uptimeMs, served: state === 'ready', othersServe });
    log.error('web_process.crashed', { webPid: member.process.pid, code, signal, restartInMs: waitMs });
    if (this.#backoff.isHopeless && this.readyCount === 0) {
      onHopeless();
      return;
    }
    onReplaced?.('crash');
    const fill = guarded(() => this.#fill());
    sleep(waitMs, undefined, { signal: this.#waits.signal }).then(fill, () => undefined);
  }

  /** Starts what is missing. A process that is about to replace another one counts. */
  #fill(): void {
    if (this.#phase !== 'running') return;
    const active = [...this.#members].filter(({ state }) => state !== 'draining');
    const starting = active.filter(({ state }) => state === 'starting').length;
    const missing = Math.min(this.#options.count - active.length, STARTS_AT_ONCE - starting);
    for (let added = 0; added < missing; added++) this.#add();
  }
}
