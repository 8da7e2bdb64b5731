import type { Session } from './session.js';

/** A flag. Without `value` it is a switch. */
export interface Flag {
  /** Placeholder for the value in the help: `N`, `FILE`. */
  value?: string;
  about: string;
  /** May be repeated. */
  repeatable?: boolean;
  short?: string;
}

/** The parsed flags of a command and its positional arguments. */
export interface Arguments {
  words: readonly string[];
  /** Whether the flag was given. */
  on(name: string): boolean;
  /** The last value given for a flag. */
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
}

export interface Command {
  /** As typed: `keys create`. */
  name: string;
  /** What follows the name: `<tool> [skill]`. */
  usage: string;
  about: string;
  /** Additional text for `help <command>`. */
  details?: string;
  flags?: Readonly<Record<string, Flag>>;
  /** Minimum and maximum number of positional arguments. */
  words: readonly [number, number];
  /** Accepts unknown `--name value` pairs and passes them to `run` as `fields`. */
  takesFields?: boolean;
  /** @returns the exit code; undefined means 0 */
  run(session: Session, args: Arguments, fields: readonly FieldArgument[]): Promise<number | undefined>;
}

/** A `--name value` pair that is not a flag of the command; `value` is undefined if missing. */
export interface FieldArgument {
  name: string;
  value: string | undefined;
}
