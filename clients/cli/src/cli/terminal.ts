import type { Readable, Writable } from 'node:stream';

/** Everything the CLI reads from its environment, so that tests can replace it. */
export interface Terminal {
  /** The arguments after the program name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly home: string;
  readonly stdin: Readable & { isTTY?: boolean; setRawMode?: (on: boolean) => unknown };
  readonly stdout: Writable & { isTTY?: boolean };
  readonly stderr: Writable & { isTTY?: boolean };
  /** Aborted with `Interrupted` by the first Ctrl-C; the second one ends the process. */
  readonly signal: AbortSignal;
}
