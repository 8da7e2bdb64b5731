import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SkillError } from '../tools/define-tool';
import type { RenderedPage, RenderRequest } from '../tools/skill-context';
import { fromRoot } from '../tools/worker-processes';
import { BrowserProxy, type ProxySession } from './browser-proxy';
import type { OutboundGuard } from './outbound-guard';

const HOST_FILE = 'server/ports/browser-host.mjs';
const HOST_HEAP_MIB = 512;
/** Pages drawn at once: each takes hundreds of megabytes. */
const AT_ONCE = 2;
const MAX_WAITING = 32;
/** Loading, waiting and drawing, each of which has a shorter limit of its own. */
const RENDER_LIMIT_MS = 90_000;
/** All of one page, which ends alone: not every step has a limit of its own, and the one above ends all pages. */
const PAGE_LIMIT_MS = 75_000;
const STOP_GRACE_MS = 5_000;
const IDLE_MS = 60_000;
/** A browser whose driver was killed ends a moment after it. */
const BROWSER_END_MS = 5_000;

/** To the process that drives the browser. */
export interface HostTask {
  id: number;
  launch: { executablePath: string; proxyPort: number; sandbox: boolean };
  limitMs: number;
  request: RenderRequest;
  proxy: { username: string; password: string };
}

/** From it. */
export type HostAnswer =
  | { id: number; ok: true; value: Omit<RenderedPage, 'blockedRequests'> }
  | { id: number; ok: false; message: string; expected: boolean; failedUrl?: string };

/** Draws pages with a browser that reaches only what the guard lets it. */
export interface PageBrowser {
  /**
   * @throws SkillError in words for the caller; the signal's reason when it aborts
   */
  render(request: RenderRequest, signal: AbortSignal): Promise<RenderedPage>;
  /** Ends the browser. */
  close(): void;
}

interface BrowserOptions {
  guard: OutboundGuard;
  /** The browser's program; null where there is none. */
  findProgram: () => string | null;
  /** For the browser's process, beside what every process needs: where its libraries and fonts are. */
  env?: Record<string, string>;
  /** For tests: another limit of one page. */
  pageLimitMs?: number;
}

/** One browser for all calls, started when it is wanted, with a context of its own for each; gone when it is idle. */
export function createPageBrowser(options: BrowserOptions): PageBrowser {
  return new SharedBrowser(options);
}

interface Waiting {
  settle(answer: HostAnswer | null): void;
}

class SharedBrowser implements PageBrowser {
  readonly #options: BrowserOptions;
  readonly #queue: (() => void)[] = [];
  readonly #waiting = new Map<number, Waiting>();
  #proxy: BrowserProxy | undefined;
  #host: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #busy = 0;
  #lastId = 0;

  constructor(options: BrowserOptions) {
    this.#options = options;
  }

  async render(request: RenderRequest, signal: AbortSignal): Promise<RenderedPage> {
    if (request.url !== undefined) this.#options.guard.checkUrl(new URL(request.url));
    const executablePath = this.#options.findProgram();
    if (executablePath === null) throw new SkillError('There is no browser on this gateway.');
    await this.#takePlace(signal);
    clearTimeout(this.#idle);
    this.#proxy ??= new BrowserProxy(this.#options.guard);
    const session = this.#proxy.open();
    try {
      const proxyPort = await this.#proxy.listen();
      const { username, password } = session;
      const launch = { executablePath, proxyPort, sandbox: process.getuid?.() !== 0 };
      const limitMs = this.#options.pageLimitMs ?? PAGE_LIMIT_MS;
      const task = { id: ++this.#lastId, launch, limitMs, request, proxy: { username, password } };
      return { ...readAnswer(await this.#ask(task, signal), session), blockedRequests: session.refused() };
    } finally {
      session.close();
      this.#leavePlace();
    }
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#proxy?.close();
    this.#proxy = undefined;
    this.#endHost();
  }

  async #takePlace(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#busy < AT_ONCE) {
      this.#busy += 1;
      return;
    }
    if (this.#queue.length >= MAX_WAITING)
      throw new SkillError('Too many pages are being drawn: try again later.');
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(begin), 1);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#queue.push(begin);
    });
  }

  /** The place goes to the next; without one, the browser is ended a while later. */
  #leavePlace(): void {
    const next = this.#queue.shift();
    if (next) {
      next();
      return;
    }
    this.#busy -= 1;
    if (this.#busy === 0) this.#idle = setTimeout(() => this.#endHost(), IDLE_MS).unref();
  }

  async #ask(task: HostTask, signal: AbortSignal): Promise<HostAnswer | null> {
    const host = this.#startHost();
    return await new Promise((resolve, reject) => {
      let late: NodeJS.Timeout | undefined;
      const timer = setTimeout(() => host.kill('SIGKILL'), RENDER_LIMIT_MS);
      // The context is closed; a host that does not even do that is killed.
      const stop = () => {
        host.send({ stop: task.id }, () => undefined);
        late ??= setTimeout(() => host.kill('SIGKILL'), STOP_GRACE_MS);
      };
      const settle = (answer: HostAnswer | null) => {
        clearTimeout(timer);
        clearTimeout(late);
        signal.removeEventListener('abort', stop);
        this.#waiting.delete(task.id);
        if (signal.aborted) reject(signal.reason);
        else resolve(answer);
      };
      this.#waiting.set(task.id, { settle });
      signal.addEventListener('abort', stop, { once: true });
      host.send(task, (error) => error && host.kill('SIGKILL'));
      if (signal.aborted) stop();
    });
  }

  #startHost(): ChildProcess {
    if (this.#host) return this.#host;
    const { PATH = '', HOME = '/tmp', LANG = 'C.UTF-8' } = process.env;
    // Of its own, because one that is killed leaves its profiles there.
    const folder = mkdtempSync(join(tmpdir(), 'gateway-browser-'));
    const host = fork(/* turbopackIgnore: true */ fromRoot(HOST_FILE), [folder], {
      env: { NODE_ENV: 'production', PATH, HOME, LANG, TMPDIR: folder, ...this.#options.env },
      execArgv: [`--max-old-space-size=${HOST_HEAP_MIB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const gone = () => {
      if (this.#host === host) this.#host = undefined;
      for (const { settle } of [...this.#waiting.values()]) settle(null);
      const remove = () => void rm(folder, { recursive: true, force: true }).catch(() => undefined);
      remove();
      setTimeout(remove, BROWSER_END_MS).unref();
    };
    host.on('message', (answer: HostAnswer) => this.#waiting.get(answer.id)?.settle(answer));
    host.once('exit', gone).on('error', gone);
    host.unref();
    host.channel?.unref();
    this.#host = host;
    return host;
  }

  /** It closes the browser and ends when nobody is there any more. */
  #endHost(): void {
    const host = this.#host;
    this.#host = undefined;
    if (host?.connected) host.disconnect();
  }
}

function readAnswer(answer: HostAnswer | null, session: ProxySession): Omit<RenderedPage, 'blockedRequests'> {
  if (answer === null) throw new SkillError('The page could not be drawn: it takes too much memory or time.');
  if (answer.ok) return answer.value;
  const host =
    answer.failedUrl !== undefined && URL.canParse(answer.failedUrl) ? new URL(answer.failedUrl).host : '';
  const refusal = session.refusalOf(host);
  if (refusal !== undefined) throw new SkillError(refusal);
  throw answer.expected ? new SkillError(answer.message) : new Error(answer.message);
}
