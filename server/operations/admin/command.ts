import type { Runtime } from '../../core/runtime';
import type { OperatorActor } from '../../core/trpc/actor';
import type { FlagDefinition, Flags, OperandDefinition } from './arguments';

/** What a command runs with. */
export interface CommandContext {
  runtime: Runtime;
  /** The operating system user, for the audit log. */
  operator: string;
  /** Whether a gateway is running on the same data. */
  gatewayRuns: boolean;
  /** Reads all of standard input, through which secrets are passed. */
  readInput(): Promise<string>;
  /** Runs work on another database than the configured one, with its own runtime. */
  withDatabase<T>(databaseUrl: string, work: (runtime: Runtime) => Promise<T>): Promise<T>;
}

/** The output of a command: lines for a person, and one JSON object for a program. */
export interface CommandResult {
  lines: string[];
  json: object;
  /** Set if the command ran but its finding is bad: the exit code is 1. */
  failed?: boolean;
}

/** One command of the admin CLI. */
export interface Command {
  /** The words that name it on the command line. */
  name: string;
  about: string;
  flags: Record<string, FlagDefinition>;
  /** Positional arguments. */
  operands?: readonly OperandDefinition[];
  run(context: CommandContext, flags: Flags): Promise<CommandResult>;
}

/** The flags that name an account; exactly one is required. */
export const ACCOUNT_FLAGS = {
  account: { value: 'ID', about: 'the account, acct_…' },
  email: { value: 'ADDRESS', about: "or its owner's email address" },
  team: { value: 'SLUG', about: 'or the slug of the team' },
} satisfies Record<string, FlagDefinition>;

/** The operator as an actor on an account, as the procedures of the app expect it. */
export function toOperatorActor(
  operator: string,
  accountId: string,
  accountType: OperatorActor['accountType'],
): OperatorActor {
  return { kind: 'operator', name: operator, accountId, accountType, accountFrozen: false };
}
