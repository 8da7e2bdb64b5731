import type { Runtime } from '../../core/runtime';
import type { OperatorActor } from '../../core/trpc/actor';
import type { FlagDefinition, Flags, OperandDefinition } from './arguments';

/** What a command works with. */
export interface CommandContext {
  runtime: Runtime;
  /** The user of the operating system, as the audit log shall name them. */
  operator: string;
  /** Whether a gateway runs on the same data now. */
  gatewayRuns: boolean;
  /** All of standard input: how a secret comes in without being seen. */
  readInput(): Promise<string>;
  /** Works on another database than that of the settings, with a runtime of its own. */
  withDatabase<T>(databaseUrl: string, work: (runtime: Runtime) => Promise<T>): Promise<T>;
}

/** What a command tells: lines for a person, or one JSON object for a program. */
export interface CommandResult {
  lines: string[];
  json: object;
  /** Set where what was asked for was found wrong: the command worked, its finding is bad. */
  failed?: boolean;
}

/** One thing the operator can do. */
export interface Command {
  /** The words after `npm run admin --`. */
  name: string;
  about: string;
  flags: Record<string, FlagDefinition>;
  /** Words after its name that are no flags. */
  operands?: readonly OperandDefinition[];
  run(context: CommandContext, flags: Flags): Promise<CommandResult>;
}

/** The ways to say which account; one of them must be given. */
export const ACCOUNT_FLAGS = {
  account: { value: 'ID', about: 'the account, acct_…' },
  email: { value: 'ADDRESS', about: 'or the address of its owner' },
  team: { value: 'SLUG', about: 'or the slug of the team' },
} satisfies Record<string, FlagDefinition>;

/** The operator, acting on an account: what the acts of the app take as who asks. */
export function operatorOn(
  operator: string,
  accountId: string,
  accountType: OperatorActor['accountType'],
): OperatorActor {
  return { kind: 'operator', name: operator, accountId, accountType, accountFrozen: false };
}
