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
 * What the command says. Data goes to standard output, and nothing else does; notes, progress and errors go to standard
 * error. In JSON mode (`--json`, or where standard output is no terminal) both are JSON, one document a line.
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

  /** Whether somebody watches standard error. */
  get watched(): boolean {
    return this.#terminal.stderr.isTTY === true && !this.#quiet;
  }

  /** Data: as it is in JSON mode, else as `human` says it. */
  async data(value: unknown, human: () => string): Promise<void> {
    const indent = this.#terminal.stdout.isTTY ? 2 : undefined;
    const whole = () => (this.json ? JSON.stringify(value, null, indent) : human());
    const said = this.#get === undefined ? whole() : valueAt(value, this.#get);
    await write(this.#terminal.stdout, `${this.#terminal.stdout.isTTY ? harmless(said) : said}\n`);
  }

  /** Something beside the data that the person should know, with fields for programs. */
  note(message: string, fields: Record<string, unknown> = {}): void {
    if (this.#quiet) return;
    this.#say(this.json ? JSON.stringify({ event: 'note', message, ...fields }) : message);
  }

  /** How far something is. */
  progress(message: string, fields: Record<string, unknown> = {}): void {
    if (this.#quiet) return;
    this.#say(this.json ? JSON.stringify({ event: 'progress', message, ...fields }) : this.dim(message));
  }

  /** The last thing that is said: the body of the failure, or its message with what to do next. */
  error(error: GatewayError): void {
    if (this.json) {
      this.#say(JSON.stringify(error.body));
      return;
    }
    const fields = error.fields.map(({ path, message }) => `  ${path || '(input)'}: ${message}`);
    const claim = error.claimUrl === undefined ? [] : [`Claim it here: ${error.claimUrl}`];
    const head = `${this.#paint('error', RED, this.#terminal.stderr)} ${error.message} ${this.dim(`(${error.code})`)}`;
    this.#say([head, ...fields, error.hint, ...claim].join('\n'));
  }

  #say(text: string): void {
    this.#terminal.stderr.write(`${harmless(text)}\n`);
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

/** @throws GatewayError USAGE where the answer has no such value */
function valueAt(answer: unknown, path: string): string {
  let at = answer;
  for (const part of path.split('.')) {
    const inside = typeof at === 'object' && at !== null && Object.hasOwn(at, part);
    if (!inside)
      throw usageError(`The answer has no ${path}.`, 'Look at it without --get; parts are joined by dots.');
    at = (at as Record<string, unknown>)[part];
  }
  return typeof at === 'string' ? at : JSON.stringify(at);
}

/** Colours of ours; every other control character but line ends and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
const CONTROLS = /(\u001b\[(?:0|1|2|31)m)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text from elsewhere, for a terminal: what a web page or an error says must not move the cursor or set the title. */
function harmless(text: string): string {
  return text.replace(CONTROLS, (_, ours: string | undefined) => ours ?? '');
}

/** Writes all of it, however slowly it is read. */
export async function write(stream: Writable, chunk: string | Uint8Array): Promise<void> {
  if (!stream.write(chunk)) await once(stream, 'drain');
}

/** Rows as columns, the last one as wide as it is. */
export function columns(rows: readonly (readonly string[])[]): string {
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

/** Dollars with the digits that matter: `$0.0021`, `$12.50`. */
export function dollars(amount: number): string {
  const exact = amount.toFixed(6).replace(/0{1,4}$/, '');
  return amount < 0 ? `-$${exact.slice(1)}` : `$${exact}`;
}
