import type { Readable, Writable } from 'node:stream';

/** All that the command sees of the outside: a test gives its own. */
export interface Terminal {
  /** What was typed after the command's name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  readonly home: string;
  readonly stdin: Readable & { isTTY?: boolean; setRawMode?: (on: boolean) => unknown };
  readonly stdout: Writable & { isTTY?: boolean };
  readonly stderr: Writable & { isTTY?: boolean };
  /** Aborted with `Interrupted` by the first Ctrl-C; the second one ends the process. */
  readonly signal: AbortSignal;
}
