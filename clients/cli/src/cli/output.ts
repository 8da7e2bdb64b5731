import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { GatewayError } from '../errors.js';
import type { Terminal } from './terminal.js';
import { usageError } from './usage-error.js';

const BOLD = '1';
const DIM = '2';
const RED = '31';

export interface OutputOptions {
  json?: boolean;
  quiet?: boolean;
  get?: string | undefined;
}

/**
 * Writes the output of a command: data to standard output; notes, progress and errors to standard
 * error. In JSON mode (`--json`, or stdout is not a terminal) both are JSON, one document per line.
 */
export class Output {
  readonly json: boolean;
  readonly #terminal: Terminal;
  readonly #quiet: boolean;
  readonly #get: string | undefined;

  constructor(terminal: Terminal, { json = false, quiet = false, get }: OutputOptions) {
    this.#terminal = terminal;
    this.#get = get;
    this.json = json || !terminal.stdout.isTTY;
    this.#quiet = quiet;
  }

  /** Whether standard error is an interactive terminal. */
  get isInteractive(): boolean {
    return this.#terminal.stderr.isTTY === true && !this.#quiet;
  }

  /** Prints data: as JSON in JSON mode, otherwise formatted by `human`. */
  async data(value: unknown, human: () => string): Promise<void> {
    const indent = this.#terminal.stdout.isTTY ? 2 : undefined;
    const whole = () => (this.json ? JSON.stringify(value, null, indent) : human());
    const said = this.#get === undefined ? whole() : getValueAtPath(value, this.#get);
    await write(this.#terminal.stdout, `${this.#terminal.stdout.isTTY ? stripControls(said) : said}\n`);
  }

  /** Prints additional information; `fields` are included in JSON mode. */
  note(message: string, fields: Record<string, unknown> = {}): void {
    if (this.#quiet) return;
    this.#writeError(this.json ? JSON.stringify({ event: 'note', message, ...fields }) : message);
  }

  /** Prints a progress message. */
  progress(message: string, fields: Record<string, unknown> = {}): void {
    if (this.#quiet) return;
    this.#writeError(
      this.json ? JSON.stringify({ event: 'progress', message, ...fields }) : this.dim(message),
    );
  }

  /** Prints the error that ends the command: its body in JSON mode, otherwise message and hint. */
  error(error: GatewayError): void {
    if (this.json) {
      this.#writeError(JSON.stringify(error.body));
      return;
    }
    const fields = error.fields.map(({ path, message }) => `  ${path || '(input)'}: ${message}`);
    const claim = error.claimUrl === undefined ? [] : [`Claim it here: ${error.claimUrl}`];
    const flags = error.body.error.missing?.map(({ name }) => `--provider-key ${name}`) ?? [];
    const keys = flags.length > 0 ? [`With this program: ${flags.join(' or ')}`] : [];
    const head = `${this.#paint('error', RED, this.#terminal.stderr)} ${error.message} ${this.dim(`(${error.code})`)}`;
    this.#writeError([head, ...fields, error.hint, ...keys, ...claim].join('\n'));
  }

  #writeError(text: string): void {
    this.#terminal.stderr.write(`${stripControls(text)}\n`);
  }

  bold(text: string): string {
    return this.#paint(text, BOLD, this.#terminal.stdout);
  }

  dim(text: string): string {
    return this.#paint(text, DIM, this.#terminal.stderr);
  }

  #paint(text: string, code: string, stream: { isTTY?: boolean }): string {
    const plain = !stream.isTTY || Boolean(this.#terminal.env.NO_COLOR) || this.#terminal.env.TERM === 'dumb';
    return plain ? text : `\u001b[${code}m${text}\u001b[0m`;
  }
}

/** @throws GatewayError USAGE when the response has no such value */
function getValueAtPath(answer: unknown, path: string): string {
  let at = answer;
  for (const part of path.split('.')) {
    const inside = typeof at === 'object' && at !== null && Object.hasOwn(at, part);
    if (!inside)
      throw usageError(
        `The response has no ${path}.`,
        'Run without --get to see it; separate nested names with dots.',
      );
    at = (at as Record<string, unknown>)[part];
  }
  return typeof at === 'string' ? at : JSON.stringify(at);
}

/** Matches our own colour codes, and every other control character except newlines and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
const CONTROLS = /(\u001b\[(?:0|1|2|31)m)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Removes control sequences, so that untrusted text cannot control the terminal. */
function stripControls(text: string): string {
  return text.replace(CONTROLS, (_, ours: string | undefined) => ours ?? '');
}

/** Writes a chunk and waits for a slow reader. */
export async function write(stream: Writable, chunk: string | Uint8Array): Promise<void> {
  if (!stream.write(chunk)) await once(stream, 'drain');
}

/** Formats rows as aligned columns; the last column is not padded. */
export function formatColumns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return rows
    .map((row) =>
      row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  '),
    )
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Formats US dollars with two to six decimals: `$0.0021`, `$12.50`. */
export function formatDollars(amount: number): string {
  const exact = amount.toFixed(6).replace(/0{1,4}$/, '');
  return amount < 0 ? `-$${exact.slice(1)}` : `$${exact}`;
}
