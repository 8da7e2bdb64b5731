import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
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
import { startRuntime } from '../start-runtime';

const DONE = 0;
const NOT_DONE = 1;
const NOT_UNDERSTOOD = 2;
const INTERRUPTED = 130;

const GATEWAY = 'the gateway';
/** How long one command waits for another that has the database open. */
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
  help: { about: 'what the command takes' },
};

interface AdminOptions {
  /** The words after `npm run admin --`. */
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Where relative folders start and `.env` lies. */
  cwd: string;
  /** The result; everything else goes to `tell`. */
  /** All of standard input; empty where there is none. */
  readInput?(): Promise<string>;
  print(line: string): void;
  tell(line: string): void;
}

/**
 * Runs one command of the operator, beside a running gateway or alone; stops what it started.
 * @returns the exit code; never throws
 */
export async function runAdmin(options: AdminOptions): Promise<number> {
  const { args, print, tell } = options;
  try {
    if (args.length === 0 || ['help', '--help', '-h'].includes(args[0] as string)) {
      print(helpForAll(commands));
      return args.length === 0 ? NOT_UNDERSTOOD : DONE;
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
    return result.failed ? NOT_DONE : DONE;
  } catch (error) {
    tell(forPerson(error));
    return error instanceof UsageError ? NOT_UNDERSTOOD : NOT_DONE;
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
  throw new UsageError(`There is no command "${said}". There are: ${names}. See npm run admin -- --help.`);
}

async function runBooted(
  { env, cwd, tell, readInput = async () => '' }: AdminOptions,
  command: Command,
  flags: Flags,
): Promise<CommandResult> {
  const gatewayRuns = await waitForOtherCommands(env, cwd);
  const booted = await boot({ env, cwd, mode: 'command', log: tell });
  const forget = stopOnSignal(booted);
  try {
    const withDatabase: CommandContext['withDatabase'] = (databaseUrl, work) =>
      withRuntime({ ...booted.settings, databaseUrl }, work);
    return await withRuntime(booted.settings, (runtime) =>
      command.run({ runtime, operator: operatorOf(), gatewayRuns, readInput, withDatabase }, flags),
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
    await started.close(0);
  }
}

/**
 * A gateway that runs is worked beside. Another command is waited for: it stops the database when
 * it is done.
 * @returns whether a gateway runs
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
  // raises nothing: it only ends the process
  for (const signal of signals) process.on(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}

/** A container's user id may have no name. */
function operatorOf(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Our own refusals are written for a person; of anything else the stack is what helps. */
function forPerson(error: unknown): string {
  if (error instanceof BackupError) return `Not done: ${error.message}`;
  if (error instanceof GatewayError) return `Not done: ${error.message}`;
  if (error instanceof UsageError) return `Not understood: ${error.message}`;
  if (error instanceof BootError || error instanceof SettingsError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
