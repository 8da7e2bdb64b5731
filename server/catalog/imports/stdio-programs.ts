import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SkillError } from '../../core/errors/skill-error';
import type { Logger } from '../../kit/log';
import {
  connectMcpStdio,
  type McpCall,
  type McpConnection,
  type McpEra,
  type McpResult,
} from '../../platform/ports/mcp-upstream';
import { findPlaceOwner } from '../../platform/workers/cpu-pool';
import { WorkerPlaces } from '../../platform/workers/worker-places';
import { hashOf } from './canonical-json';
import { breaksCallers, type Definition, definitionOf, differencesOf } from './definition';
import { ProgramSecrets } from './program-secrets';
import { readListing } from './read-mcp';

/** Calls that one program works on at once; the others wait in the turn of their accounts. */
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
/** Nobody has asked it for so long: it is ended, and started again by the next call. */
const IDLE_MS = 10 * 60_000;
/** After a crash the next start waits: twice as long each time. */
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 60_000;
/** A program that ran for so long has not crashed at its start. */
const SETTLED_MS = 30_000;
const MAX_STDERR_CHARS = 500;
/** Lines of standard error that are logged of one start. */
const MAX_STDERR_LINES = 20;

/** A program as the operator named it. */
export interface Program {
  tool: string;
  command: string;
  args: readonly string[];
  /** Its credentials, by variable. */
  env: Readonly<Record<string, string>>;
  era: McpEra | null;
  /** Only a program that offers this is called. */
  definition: Definition;
}

interface Options {
  dataDir: string;
  log: Logger;
  /** The program offers something else than was approved, or says that its tools have changed. */
  onSuspect(tool: string): void;
}

/** The folder a program runs in: its own, and all that it is told of as HOME. */
export async function programFolder(dataDir: string, tool: string): Promise<string> {
  const folder = join(dataDir, 'imports', tool);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/**
 * The programs of this process: one for each tool, started by its first call, shared by its
 * callers, ended with the gateway.
 */
export class StdioPrograms {
  readonly #options: Options;
  readonly #running = new Map<string, RunningProgram>();
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** @throws SkillError in words for a caller; the signal's reason when it aborts */
  async call(program: Program, call: McpCall): Promise<McpResult> {
    if (this.#closed) throw new SkillError('The gateway is stopping.');
    const key = hashOf([program.command, program.args, program.env, program.definition]);
    let running = this.#running.get(program.tool);
    if (!running || running.key !== key) {
      void running?.close();
      running = new RunningProgram(program, key, this.#options);
      this.#running.set(program.tool, running);
    }
    return await running.call(call);
  }

  /** Ends the programs of all other tools. */
  keepOnly(tools: ReadonlySet<string>): void {
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
  readonly #places = new WorkerPlaces(PLACES);
  #idle: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(program: Program, key: string, options: Options) {
    this.#program = program;
    this.key = key;
    this.#options = options;
  }

  async call(call: McpCall): Promise<McpResult> {
    call.signal.throwIfAborted();
    const place = await this.#places.take(findPlaceOwner(call.signal), false, call.signal);
    this.#calls++;
    clearTimeout(this.#idle);
    try {
      const connection = await this.#connect();
      return await connection.call(call);
    } finally {
      this.#calls--;
      if (this.#calls === 0 && !this.#closed)
        this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref();
      this.#places.leave(place);
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
      throw new SkillError(
        `The tool's program stopped; it is started again in ${Math.ceil(waitMs / 1000)} s.`,
      );
    const starting = this.#start();
    this.#connection = starting;
    starting.catch(() => {
      if (this.#connection === starting) this.#crashed();
    });
    return starting;
  }

  async #start(): Promise<McpConnection> {
    const { tool, command, args, env, era, definition } = this.#program;
    const { dataDir, log, onSuspect } = this.#options;
    this.#startedAt = Date.now();
    const cwd = await programFolder(dataDir, tool);
    let lines = 0;
    const secrets = new ProgramSecrets(env);
    const connection = await connectMcpStdio({
      command,
      args,
      cwd,
      env: { HOME: cwd, ...env },
      era,
      onStderr: (text) => {
        if (lines++ < MAX_STDERR_LINES)
          log.info('a program of a tool says', {
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
    const offered = readListing(await connection.list()).skills.filter(({ upstream }) =>
      pinned.has(upstream),
    );
    if (!breaksCallers(differencesOf(definition, definitionOf(definition.source, offered))))
      return connection;
    await connection.close();
    onSuspect(tool);
    throw new SkillError('The tool offers something else than was approved.');
  }

  #crashed(): void {
    this.#connection = undefined;
    if (Date.now() - this.#startedAt > SETTLED_MS) this.#crashes = 0;
    const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** this.#crashes, MAX_BACKOFF_MS);
    this.#crashes++;
    this.#notBefore = Date.now() + backoffMs;
    this.#options.log.warn('a program of a tool stopped', { tool: this.#program.tool, backoffMs });
  }
}
