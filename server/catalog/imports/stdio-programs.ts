import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SkillError } from '../../core/errors/skill-error';
import { hashCanonicalJson } from '../../kit/canonical-json';
import type { Logger } from '../../kit/log';
import {
  connectMcpStdio,
  type McpCall,
  type McpConnection,
  type McpEra,
  type McpResult,
} from '../../platform/ports/mcp-upstream';
import { findSlotOwner } from '../../platform/workers/compute-spending';
import { WorkerScheduler } from '../../platform/workers/worker-scheduler';
import { breaksCallers, compareDefinitions, createDefinition, type Definition } from './definition';
import { ProgramSecrets } from './program-secrets';
import { readListing } from './read-mcp';

/** Concurrent calls per program; further calls queue fairly by account. */
const MAX_CALLS = 16;
const PLACES = {
  total: MAX_CALLS,
  long: MAX_CALLS,
  perAccount: MAX_CALLS / 2,
  perRank: { paying: MAX_CALLS, provisional: MAX_CALLS / 2, overBudget: MAX_CALLS / 2 },
  asleep: 0,
  waiting: 64,
  refusal: 'The tool is busy: try again in a moment.',
};
/** An idle program is stopped after this time; the next call starts it again. */
const IDLE_MS = 10 * 60_000;
/** Delay of the next start after a crash; doubles with each crash. */
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 60_000;
/** A program that ran this long did not crash at its start: the delay resets. */
const SETTLED_MS = 30_000;
const MAX_STDERR_CHARS = 500;
/** Logged lines of standard error per start. */
const MAX_STDERR_LINES = 20;

/** A program that the operator configured. */
export interface Program {
  tool: string;
  command: string;
  args: readonly string[];
  /** Its settings, by environment variable; no secrets. */
  variables: Readonly<Record<string, string>>;
  /** Its credentials, by environment variable. */
  env: Readonly<Record<string, string>>;
  era: McpEra | null;
  /** The program must offer this definition, or it is not called. */
  definition: Definition;
}

interface Options {
  dataDir: string;
  log: Logger;
  /** Called if the program does not match its definition, or reports that its tools changed. */
  onDefinitionChanged(tool: string): void;
}

/** Returns (and creates) the folder that a program runs in, which is also its HOME. */
export async function programFolder(dataDir: string, tool: string): Promise<string> {
  const folder = join(dataDir, 'imports', tool);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/**
 * Manages the programs of this process: one per tool, started by its first call, shared by its
 * callers, and stopped with the gateway.
 */
export class StdioPrograms {
  readonly #options: Options;
  readonly #running = new Map<string, RunningProgram>();
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** @throws SkillError with a message for the caller; the signal's reason when it aborts */
  async call(program: Program, call: McpCall): Promise<McpResult> {
    if (this.#closed) throw new SkillError('The gateway is stopping.');
    const key = hashCanonicalJson([
      program.command,
      program.args,
      program.variables,
      program.env,
      program.definition,
    ]);
    let running = this.#running.get(program.tool);
    if (!running || running.key !== key) {
      void running?.close();
      running = new RunningProgram(program, key, this.#options);
      this.#running.set(program.tool, running);
    }
    return await running.call(call);
  }

  /** Stops the programs of all other tools. */
  retainOnly(tools: ReadonlySet<string>): void {
    for (const [tool, running] of this.#running) {
      if (tools.has(tool)) continue;
      this.#running.delete(tool);
      void running.close();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#running.values()].map((running) => running.close()));
    this.#running.clear();
  }
}

class RunningProgram {
  readonly key: string;
  readonly #program: Program;
  readonly #options: Options;
  #connection: Promise<McpConnection> | undefined;
  #startedAt = 0;
  #crashes = 0;
  #notBefore = 0;
  #calls = 0;
  readonly #places = new WorkerScheduler(PLACES);
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(program: Program, key: string, options: Options) {
    this.#program = program;
    this.key = key;
    this.#options = options;
  }

  async call(call: McpCall): Promise<McpResult> {
    call.signal.throwIfAborted();
    const place = await this.#places.acquire(findSlotOwner(call.signal), false, call.signal);
    this.#calls++;
    clearTimeout(this.#idle);
    try {
      const connection = await this.#connect();
      return await connection.call(call);
    } finally {
      this.#calls--;
      if (this.#calls === 0 && !this.#closed)
        this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
      this.#places.release(place);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#end();
  }

  async #end(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.then((open) => open.close()).catch(() => undefined);
  }

  #connect(): Promise<McpConnection> {
    if (this.#closed) throw new SkillError('The tool has just been changed: send the call again.');
    if (this.#connection) return this.#connection;
    const waitMs = this.#notBefore - Date.now();
    if (waitMs > 0)
      throw new SkillError(`The tool's program stopped and will restart in ${Math.ceil(waitMs / 1000)} s.`);
    const starting = this.#start();
    this.#connection = starting;
    starting.catch(() => {
      if (this.#connection === starting) this.#crashed();
    });
    return starting;
  }

  async #start(): Promise<McpConnection> {
    const { tool, command, args, variables, env, era, definition } = this.#program;
    const { dataDir, log, onDefinitionChanged: onSuspect } = this.#options;
    this.#startedAt = Date.now();
    const cwd = await programFolder(dataDir, tool);
    let lines = 0;
    const secrets = new ProgramSecrets(env);
    const connection = await connectMcpStdio({
      command,
      args,
      cwd,
      env: { HOME: cwd, ...variables, ...env },
      era,
      onStderr: (text) => {
        if (lines++ < MAX_STDERR_LINES)
          log.info('tool_program.output', {
            tool,
            text: secrets.redact(text).slice(0, MAX_STDERR_CHARS),
          });
      },
      onClose: () => {
        if (!this.#closed && this.#connection) this.#crashed();
      },
      onToolsChanged: () => onSuspect(tool),
    });
    const pinned = new Set(definition.skills.map(({ upstream }) => upstream));
    const { skills } = await readListing(await connection.list());
    const offered = skills.filter(({ upstream }) => pinned.has(upstream));
    if (!breaksCallers(compareDefinitions(definition, createDefinition(definition.source, offered))))
      return connection;
    await connection.close();
    onSuspect(tool);
    throw new SkillError('The tool does not match its approved definition.');
  }

  #crashed(): void {
    this.#connection = undefined;
    if (Date.now() - this.#startedAt > SETTLED_MS) this.#crashes = 0;
    const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** this.#crashes, MAX_BACKOFF_MS);
    this.#crashes++;
    this.#notBefore = Date.now() + backoffMs;
    this.#options.log.warn('tool_program.stopped', { tool: this.#program.tool, backoffMs });
  }
}
