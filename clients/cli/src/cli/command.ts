import type { Session } from './session.js';

/** One flag. Without `value` it is a switch. */
export interface Flag {
  /** What stands for the value in the help: `N`, `FILE`. */
  value?: string;
  about: string;
  /** It may be given more than once. */
  many?: boolean;
  short?: string;
}

/** What was given of a command's flags, and the words between them. */
export interface Arguments {
  words: readonly string[];
  /** Whether a switch is on. */
  on(name: string): boolean;
  /** The value of a flag, the last one given. */
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
}

export interface Command {
  /** As it is typed: `keys create`. */
  name: string;
  /** What follows the name: `<tool> [skill]`. */
  usage: string;
  about: string;
  /** More, for `help <command>`. */
  details?: string;
  flags?: Readonly<Record<string, Flag>>;
  /** How many words may follow: at least, at most. */
  words: readonly [number, number];
  /** Also takes `--name value` of names that it finds out itself: they come as `fields`. */
  takesFields?: boolean;
  /** @returns the exit code; 0 where it returns nothing */
  run(session: Session, args: Arguments, fields: readonly FieldArgument[]): Promise<number | undefined>;
}

/** One `--name value` that is not a flag of ours; without a value where none followed. */
export interface FieldArgument {
  name: string;
  value: string | undefined;
}
