import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { getAdminCommand } from '../../kit/admin-command';
import { createLogger } from '../../kit/log';
import { accountCommands } from '../../operations/admin/account-commands';
import { type FlagDefinition, type Flags, parseFlags, UsageError } from '../../operations/admin/arguments';
import { backupCommands } from '../../operations/admin/backup-commands';
import type { Command, CommandContext, CommandResult } from '../../operations/admin/command';
import { helpFor, helpForAll } from '../../operations/admin/help';
import { otherCommands } from '../../operations/admin/other-commands';
import { toolsCommands } from '../../operations/admin/tools-commands';
import { usageCommands } from '../../operations/admin/usage-commands';
import { vaultCommands } from '../../operations/admin/vault-commands';
import { BackupError } from '../../operations/backup/backup-error';
import { BootError } from '../../platform/process/boot-error';
import { type BootedSettings, SettingsError } from '../../platform/settings/settings';
import { assertNotRunning, type Booted, boot } from '../boot/boot';
import { AlreadyRunningError } from '../boot/lock';
import { closeProcess, startRuntime } from '../start-runtime';

const DONE = 0;
const FAILED = 1;
const USAGE_ERROR = 2;
const INTERRUPTED = 130;

const GATEWAY = 'the gateway';
/** How long a command waits for another command that uses the database. */
const OTHER_COMMAND_MS = 30_000;
const OTHER_COMMAND_POLL_MS = 100;

const commands: readonly Command[] = [
  ...accountCommands,
  ...backupCommands,
  ...otherCommands,
  ...toolsCommands,
  ...usageCommands,
  ...vaultCommands,
];
const COMMON_FLAGS: Record<string, FlagDefinition> = {
  json: { about: 'one JSON object instead of text' },
  help: { about: 'show the usage of the command' },
};

interface AdminOptions {
  /** The arguments after `npm run admin --`. */
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** The base of relative folders and the location of `.env`. */
  cwd: string;
  /** Reads all of standard input; empty if there is none. */
  readInput?(): Promise<string>;
  /** Writes the result; all other output goes to `report`. */
  print(line: string): void;
  report(line: string): void;
}

/**
 * Runs one admin command, next to a running gateway or alone, and stops what it started.
 * @returns the exit code; never throws
 */
export async function runAdmin(options: AdminOptions): Promise<number> {
  const { args, print, report } = options;
  try {
    if (args.length === 0 || ['help', '--help', '-h'].includes(args[0] as string)) {
      print(helpForAll(commands));
      return args.length === 0 ? USAGE_ERROR : DONE;
    }
    const { command, rest } = findCommand(args);
    if (rest.includes('--help') || rest.includes('-h')) {
      print(helpFor(command));
      return DONE;
    }
    const flags = parseFlags(rest, { ...command.flags, ...COMMON_FLAGS }, command.operands);
    const result = await runBooted(options, command, flags);
    if (flags.has('json')) print(JSON.stringify(result.json));
    else for (const line of result.lines) print(line);
    return result.failed ? FAILED : DONE;
  } catch (error) {
    report(formatError(error));
    return error instanceof UsageError ? USAGE_ERROR : FAILED;
  }
}

function findCommand(args: readonly string[]): { command: Command; rest: readonly string[] } {
  for (const command of commands) {
    const words = command.name.split(' ');
    if (words.every((word, index) => args[index] === word))
      return { command, rest: args.slice(words.length) };
  }
  const names = commands.map(({ name }) => name).join(', ');
  const said = args.filter((word) => !word.startsWith('--')).join(' ') || (args[0] as string);
  throw new UsageError(`Unknown command "${said}". Commands: ${names}. See ${getAdminCommand()} --help.`);
}

async function runBooted(
  { env, cwd, report, readInput = async () => '' }: AdminOptions,
  command: Command,
  flags: Flags,
): Promise<CommandResult> {
  const gatewayRuns = await waitForOtherCommands(env, cwd);
  const booted = await boot({ env, cwd, mode: 'command', log: report });
  const forget = stopOnSignal(booted);
  try {
    const withDatabase: CommandContext['withDatabase'] = (databaseUrl, work) =>
      withRuntime({ ...booted.settings, databaseUrl }, work);
    return await withRuntime(booted.settings, (runtime) =>
      command.run({ runtime, operator: getOperatorName(), gatewayRuns, readInput, withDatabase }, flags),
    );
  } finally {
    forget();
    await booted.stop();
  }
}

async function withRuntime<T>(settings: BootedSettings, work: (runtime: Runtime) => Promise<T>): Promise<T> {
  const started = startRuntime({ settings, log: createLogger(), role: 'command' });
  try {
    return await work(started.runtime);
  } finally {
    await closeProcess(started, 0);
  }
}

/**
 * Waits until no other command runs, because a command stops the database when it ends. Does not
 * wait for a gateway.
 * @returns whether a gateway is running
 */
async function waitForOtherCommands(env: NodeJS.ProcessEnv, cwd: string): Promise<boolean> {
  for (const end = Date.now() + OTHER_COMMAND_MS; ; await sleep(OTHER_COMMAND_POLL_MS)) {
    try {
      await assertNotRunning(env, cwd);
      return false;
    } catch (error) {
      if (!(error instanceof AlreadyRunningError)) throw error;
      if (error.holder.what === GATEWAY) return true;
      if (Date.now() > end) throw error;
    }
  }
}

function stopOnSignal(booted: Booted): () => void {
  const stop = () => {
    booted.stopNow();
    process.exit(INTERRUPTED);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  // Cannot throw: only exits the process
  for (const signal of signals) process.on(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}

/** A container's user id may have no name. */
function getOperatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Our own errors are written for people; for others the stack helps. */
function formatError(error: unknown): string {
  if (error instanceof BackupError) return `Not done: ${error.message}`;
  if (error instanceof GatewayError) return `Not done: ${error.message}`;
  if (error instanceof UsageError) return `Usage error: ${error.message}`;
  if (error instanceof BootError || error instanceof SettingsError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
