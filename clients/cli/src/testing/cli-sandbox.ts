import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { runCli } from '../cli/run-cli.js';

/** The outcome of one run of the CLI. */
export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
  /** Standard output parsed as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  json: any;
  /** The last line of standard error parsed as JSON: the error. */
  // biome-ignore lint/suspicious/noExplicitAny: the same
  error: any;
}

export interface CommandOptions {
  env?: Record<string, string>;
  /** Piped input; with `tty`, the typed input, one chunk per prompt. */
  stdin?: string | readonly string[];
  /** Simulates a terminal instead of pipes. */
  tty?: boolean;
  signal?: AbortSignal;
  /** Called on each write to standard error. */
  onStderr?: () => void;
}

/** A temporary home folder in which commands are run. */
export interface CliSandbox {
  home: string;
  run(args: readonly string[], options?: CommandOptions): Promise<CommandResult>;
  remove(): Promise<void>;
}

/** Creates a home folder; its commands run in this process and see only `env`, not this machine. */
export async function createCliSandbox(env: Record<string, string> = {}): Promise<CliSandbox> {
  const home = await mkdtemp(join(tmpdir(), 'gateway-desk-'));
  return {
    home,
    run: (args, options = {}) => runCommand(home, args, { ...options, env: { ...env, ...options.env } }),
    remove: () => rm(home, { recursive: true, force: true }),
  };
}

async function runCommand(
  home: string,
  args: readonly string[],
  { env = {}, stdin = '', tty = false, signal = new AbortController().signal, onStderr }: CommandOptions,
): Promise<CommandResult> {
  const stdout = collector(tty);
  const stderr = collector(tty, onStderr);
  const input = Object.assign(
    Readable.from(
      [stdin]
        .flat()
        .filter(Boolean)
        .map((chunk) => Buffer.from(chunk)),
    ),
    {
      isTTY: tty,
      ...(tty && { setRawMode: () => undefined }),
    },
  );
  const code = await runCli({ args, env, home, stdin: input, stdout, stderr, signal });
  const said = { stdout: stdout.text(), stderr: stderr.text() };
  return {
    code,
    ...said,
    json: parseJson(said.stdout),
    error: parseJson(said.stderr.trim().split('\n').at(-1) ?? ''),
  };
}

function collector(isTTY: boolean, onText?: () => void) {
  let text = '';
  const stream = new PassThrough();
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    onText?.();
  });
  return Object.assign(stream, { isTTY, text: () => text });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
