import { type ChildProcess, spawn } from 'node:child_process';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  deserializeMessage,
  type JSONRPCMessage,
  SdkError,
  SdkErrorCode,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { withErrorListener } from '../../kit/error-listener';
import { guarded } from '../../kit/guarded';
import { writeNumberTexts } from '../../kit/number-texts';
import { MAX_RESPONSE_NAMES } from '../../kit/parse-json';
import { InexactNumberReplacer } from '../../kit/replace-inexact-numbers.mjs';
import { JsonScanner } from '../../kit/scan-json';
import { killGroup } from '../confinement/kill-group';
import { limitTransport, McpLimits } from './mcp-limits';
import { McpStrayAnswers } from './mcp-stray-answers';

/** What a program inherits of our environment: where other programs are, and the user's name. */
const INHERITED = ['PATH', 'LOGNAME', 'USER', 'SHELL', 'TERM'];
/** How long a program may take to exit by itself, and then after SIGTERM. */
const END_MS = 2_000;
const DISPOSE_MS = 1_000;
/** Messages read per turn of the event loop. */
const MESSAGES_A_TURN = 32;
/** The initial buffer for a line. */
const LINE_BYTES = 64 * 1024;
const LINE_FEED = 10;

interface ProgramOptions {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  stderr: 'pipe' | 'ignore';
  onStderr?(text: string): void;
}

/**
 * A program that speaks MCP on its standard streams, one message per line. Unlike the SDK's
 * transport, it limits what the program sends before parsing it, and applies backpressure.
 */
export class McpProgram implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly limits: McpLimits;
  /** The SDK reads this field to copy the transport for its probe. */
  readonly _serverParams: ProgramOptions;
  #process: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #line = Buffer.alloc(LINE_BYTES);
  #lineBytes = 0;
  #scanner = new JsonScanner(MAX_RESPONSE_NAMES);
  #numbers = new InexactNumberReplacer();

  constructor(options: ProgramOptions) {
    this._serverParams = options;
    this.limits = new McpLimits((reason) => {
      this.onerror?.(reason);
      this.#process?.stdout?.destroy();
      this.#kill('SIGKILL');
    });
    const strays = new McpStrayAnswers(this, this.limits);
    limitTransport(this, this.limits, (message) => strays.receive(message));
  }

  /** The SDK recognises a stdio transport by `pid` and `stderr`. */
  get pid(): number | null {
    return this.#process?.pid ?? null;
  }

  get stderr(): null {
    return null;
  }

  async start(): Promise<void> {
    const { command, args, cwd, env, stderr, onStderr } = this._serverParams;
    const inherited = INHERITED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    });
    const child = withErrorListener(
      spawn(command, args, {
        cwd,
        // Never the HOME of the gateway's user, where programs find settings and credentials.
        env: { ...Object.fromEntries(inherited), HOME: cwd, ...env },
        stdio: ['pipe', 'pipe', stderr],
        detached: true,
      }),
    );
    this.#process = child;
    const started = new Promise<void>((resolve, reject) => child.on('spawn', resolve).on('error', reject));
    const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
    for (const stream of [child.stdin, child.stdout, child.stderr]) if (stream) withErrorListener(stream);
    if (onStderr)
      child.stderr?.on(
        'data',
        guarded((chunk: Buffer) => onStderr(chunk.toString('utf8'))),
      );
    await started;
    this.#ended = Promise.all([closed, this.#read(child)]).then(() => {
      this.#process = undefined;
    });
    void this.#ended.then(guarded(() => this.onclose?.()));
  }

  /**
   * Resolves when the program's pipe has accepted the message. If the program has exited, resolves
   * after `onclose`, which fails the request once the program's last output has been read.
   */
  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#process?.stdin;
    const notConnected = new SdkError(SdkErrorCode.NotConnected, 'Not connected');
    if (!stdin) throw notConnected;
    const failure = await new Promise<Error | null | undefined>((resolve) => {
      if (stdin.writable) stdin.write(writeNumberTexts(serializeMessage(message)), resolve);
      else resolve(notConnected);
    });
    if (failure && !(await this.#hasEnded(END_MS))) throw failure;
  }

  async close(): Promise<void> {
    this.#process?.stdin?.end();
    await this.#hasEnded(END_MS);
    await this._dispose(END_MS);
  }

  /**
   * Ends the program without giving it time to exit by itself. The SDK calls this after a probe.
   */
  async _dispose(graceMs = DISPOSE_MS): Promise<void> {
    this.#kill('SIGTERM');
    if (await this.#hasEnded(graceMs)) return;
    this.#kill('SIGKILL');
    // Child processes of the program may still hold the pipes open.
    this.#process?.stdout?.destroy();
    this.#process?.stderr?.destroy();
    await this.#hasEnded(END_MS);
  }

  #kill(signal: NodeJS.Signals): void {
    if (this.#process) killGroup(this.#process, signal);
  }

  async #hasEnded(limitMs: number): Promise<boolean> {
    const waiting = new AbortController();
    const late = sleep(limitMs, false, { signal: waiting.signal, ref: false }).catch(() => false);
    const ended = await Promise.race([this.#ended.then(() => true), late]);
    waiting.abort();
    return ended;
  }

  async #read({ stdout }: ChildProcess): Promise<void> {
    let messages = 0;
    try {
      for await (const chunk of (stdout ?? []) as AsyncIterable<Buffer>) {
        this.limits.countBytes(chunk.length);
        for (let from = 0; from < chunk.length; ) {
          const end = chunk.indexOf(LINE_FEED, from);
          this.#append(chunk.subarray(from, end === -1 ? chunk.length : end));
          if (end === -1) break;
          this.#endLine();
          from = end + 1;
          messages += 1;
          if (messages % MESSAGES_A_TURN === 0) await nextTurn();
        }
      }
    } catch (error) {
      // If a limit ended the program, that was reported already; otherwise its stream broke.
      if (!this.limits.isClosed && error instanceof Error) this.onerror?.(error);
    }
  }

  #append(part: Buffer): void {
    this.#scanner.push(part);
    this.limits.checkMessage(this.#lineBytes + part.length, this.#scanner);
    this.#extendLine(this.#numbers.push(part));
  }

  #extendLine(part: Uint8Array): void {
    const bytes = this.#lineBytes + part.length;
    if (bytes > this.#line.length) {
      const larger = Buffer.alloc(2 * bytes);
      this.#line.copy(larger, 0, 0, this.#lineBytes);
      this.#line = larger;
    }
    this.#line.set(part, this.#lineBytes);
    this.#lineBytes = bytes;
  }

  #endLine(): void {
    this.#extendLine(this.#numbers.end());
    const text = this.#line.toString('utf8', 0, this.#lineBytes);
    if (this.#line.length > LINE_BYTES) this.#line = Buffer.alloc(LINE_BYTES);
    this.#lineBytes = 0;
    this.#scanner = new JsonScanner(MAX_RESPONSE_NAMES);
    this.#numbers = new InexactNumberReplacer();
    const message = this.#parse(text);
    if (message) this.onmessage?.(message);
    else this.limits.countMessage();
  }

  /** Ignores lines that are not JSON, and reports JSON that is not a message. */
  #parse(line: string): JSONRPCMessage | undefined {
    try {
      return deserializeMessage(line);
    } catch (error) {
      if (error instanceof Error && !(error instanceof SyntaxError)) this.onerror?.(error);
      return undefined;
    }
  }
}
