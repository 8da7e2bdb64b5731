import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';
import { InputError, SkillError } from '../../core/errors/skill-error';
import { fromRoot } from '../../kit/from-root';
import { guarded } from '../../kit/guarded';
import { removeFolder } from '../../kit/opened-folder';
import { findLayerFor } from '../confinement/confine-program';
import { buildConfinedCommand, hasNamespaces, isRoot, type Layer } from '../confinement/layers';
import { getStartNiceness, withNiceness } from '../confinement/run-nice';
import { browserSandbox } from '../confinement/sandboxes';
import { findSlotOwner, spendCompute } from '../workers/compute-spending';
import { ProcessTreeWatch } from '../workers/process-tree-watch';
import { WorkerScheduler } from '../workers/worker-scheduler';
import { makeBrowserFolder, sweepBrowserFolders, touchBrowserFolder } from './browser-folders';
import { BrowserProxy, type ProxySession } from './browser-proxy';
import type { OutboundGuard } from './outbound-guard';
import type { BrowserProgram } from './packaged-chromium';
import type { RenderedPage, RenderRequest } from './rendered-page';

const HOST_FILE = 'server/platform/ports/browser-host.mjs';
const HOST_HEAP_MIB = 512;
/** Pages drawn at the same time; each takes hundreds of megabytes. */
const MAX_CONCURRENT_PAGES = 2;
const SLOT_LIMITS = {
  total: MAX_CONCURRENT_PAGES,
  long: MAX_CONCURRENT_PAGES,
  perAccount: MAX_CONCURRENT_PAGES / 2,
  perRank: {
    paying: MAX_CONCURRENT_PAGES,
    provisional: MAX_CONCURRENT_PAGES / 2,
    overBudget: MAX_CONCURRENT_PAGES / 2,
  },
  asleep: 0,
  waiting: 32,
  refusal: 'Too many pages are waiting to be drawn. Try again in a minute.',
};
/** Loading, waiting and drawing, which also have shorter limits of their own. */
const RENDER_LIMIT_MS = 90_000;
/** The limit of one page alone: not every step has its own, and the limit above ends all pages. */
const PAGE_LIMIT_MS = 75_000;
const STOP_GRACE_MS = 5_000;
/** Of the browser with all its processes. */
const MAX_BYTES = 2 * 1024 * 1024 * 1024;
const IDLE_MS = 60_000;
/** A browser takes a moment to exit after its driver was killed. */
const BROWSER_END_MS = 5_000;

/** Chromium's own sandbox: `preferred` if our sandbox confines the browser even without it. */
export type ChromiumSandbox = 'required' | 'preferred' | 'off';

/** Sent to the process that drives the browser. */
export interface HostTask {
  id: number;
  launch: { executablePath: string; proxyPort: number; sandbox: ChromiumSandbox };
  limitMs: number;
  /** How long to wait for resources that still load, if not the default. */
  settleMs: number | undefined;
  request: RenderRequest;
  proxy: { username: string; password: string };
}

const pixels = z.int().nonnegative().nullable();
/** Sent by that process. It is validated, because the process handles untrusted pages. */
const hostAnswerSchema = z.discriminatedUnion('ok', [
  z.object({
    id: z.int(),
    ok: z.literal(true),
    value: z.object({
      url: z.string(),
      title: z.string(),
      status: z.int().nullable(),
      width: pixels,
      height: pixels,
      truncated: z.boolean(),
      sizeBytes: z.int().nonnegative(),
    }),
  }),
  z.object({
    id: z.int(),
    ok: z.literal(false),
    message: z.string(),
    expected: z.boolean(),
    failedUrl: z.string().optional(),
  }),
]);

export type HostResponse = z.output<typeof hostAnswerSchema>;

/** Draws pages with a browser that can reach only what the guard allows. */
export interface PageBrowser {
  /** @throws SkillError with a message for the caller; the signal's reason if it aborts */
  render(request: RenderRequest, signal: AbortSignal): Promise<RenderedPage>;
  /** Closes the browser. */
  close(): void;
}

interface BrowserOptions {
  guard: OutboundGuard;
  /** Finds the browser's program; null if there is none. */
  findProgram: () => Promise<BrowserProgram | null>;
  /** For tests: another time limit of a page. */
  pageLimitMs?: number;
  /** For tests: another memory limit of all processes, and another driver. */
  maxBytes?: number;
  hostFile?: string;
  /** For tests: another wait for resources that a page still loads. */
  settleMs?: number;
}

/**
 * Creates a browser that all calls share, each in its own context; started on demand, closed idle.
 */
export function createPageBrowser(options: BrowserOptions): PageBrowser {
  return new SharedBrowser(options);
}

interface Waiting {
  host: ChildProcess;
  settle(answer: HostResponse | null): void;
}

class SharedBrowser implements PageBrowser {
  readonly #options: BrowserOptions;
  readonly #places = new WorkerScheduler(SLOT_LIMITS);
  readonly #waiting = new Map<number, Waiting>();
  #proxy: BrowserProxy | undefined;
  #host: ChildProcess | undefined;
  #folder = '';
  #idle: NodeJS.Timeout | undefined;
  #drawing = 0;
  #lastId = 0;

  constructor(options: BrowserOptions) {
    this.#options = options;
  }

  async render(request: RenderRequest, signal: AbortSignal): Promise<RenderedPage> {
    if (request.url !== undefined) this.#options.guard.checkUrl(new URL(request.url));
    const found = await this.#findProgram();
    if (found === null) throw new SkillError('This gateway has no browser.', { failure: 'TOOL_UNAVAILABLE' });
    signal.throwIfAborted();
    const place = await this.#places.acquire(findSlotOwner(signal), false, signal);
    const startedAt = performance.now();
    this.#drawing += 1;
    clearTimeout(this.#idle);
    try {
      return await this.#draw(request, found, signal);
    } finally {
      this.#drawing -= 1;
      if (this.#drawing === 0) this.#idle = setTimeout(() => this.#endHost(), IDLE_MS).unref();
      spendCompute(signal, performance.now() - startedAt);
      this.#places.release(place);
    }
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#proxy?.close();
    this.#proxy = undefined;
    this.#endHost();
  }

  async #findProgram(): Promise<BrowserProgram | null> {
    try {
      return await this.#options.findProgram();
    } catch (cause) {
      throw new SkillError('The browser could not be installed.', { failure: 'TOOL_UNAVAILABLE', cause });
    }
  }

  async #draw(request: RenderRequest, found: BrowserProgram, signal: AbortSignal): Promise<RenderedPage> {
    this.#proxy ??= new BrowserProxy(this.#options.guard);
    const session = this.#proxy.open();
    try {
      const proxyPort = await this.#proxy.listen();
      const { username, password } = session;
      const layer = await this.#findLayer(found);
      const host = this.#startHost(found, layer);
      const launch = { executablePath: found.program, proxyPort, sandbox: chooseChromiumSandbox(layer) };
      const { pageLimitMs: limitMs = PAGE_LIMIT_MS, settleMs } = this.#options;
      const proxy = { username, password };
      const task = { id: ++this.#lastId, launch, limitMs, settleMs, request, proxy };
      return {
        ...toRenderedPage(await this.#sendTask(host, task, signal), session),
        blockedRequests: session.refused(),
      };
    } finally {
      session.close();
    }
  }

  async #sendTask(host: ChildProcess, task: HostTask, signal: AbortSignal): Promise<HostResponse | null> {
    return await new Promise((resolve, reject) => {
      let late: NodeJS.Timeout | undefined;
      const timer = setTimeout(() => this.#killHost(host), RENDER_LIMIT_MS);
      // Asks the host to close the page, and kills a host that does not respond.
      const stop = guarded(() => {
        host.send({ stop: task.id }, () => undefined);
        late ??= setTimeout(() => this.#killHost(host), STOP_GRACE_MS);
      });
      const settle = (answer: HostResponse | null) => {
        clearTimeout(timer);
        clearTimeout(late);
        signal.removeEventListener('abort', stop);
        this.#waiting.delete(task.id);
        if (signal.aborted) reject(signal.reason);
        else resolve(answer);
      };
      this.#waiting.set(task.id, { host, settle });
      signal.addEventListener('abort', stop, { once: true });
      host.send(task, (error) => error && this.#killHost(host));
      if (signal.aborted) stop();
    });
  }

  async #findLayer({ program, env: own }: BrowserProgram): Promise<Layer> {
    const env = { ...process.env, ...own };
    const tried = { program, args: [], versionArgs: ['--version', '--no-sandbox'], env };
    return await findLayerFor(browserSandbox(program, []), tried);
  }

  #startHost(browser: BrowserProgram, layer: Layer): ChildProcess {
    if (this.#host) {
      touchBrowserFolder(this.#folder);
      return this.#host;
    }
    void sweepBrowserFolders();
    const { PATH = '', HOME = '/tmp', LANG = 'C.UTF-8' } = process.env;
    // A new folder per host, because a killed one leaves its profiles there.
    const folder = makeBrowserFolder();
    const confined = buildConfinedCommand(layer, browserSandbox(browser.program, [folder]), {
      program: process.execPath,
      args: [`--max-old-space-size=${HOST_HEAP_MIB}`],
    });
    const { program, args } = withNiceness(getStartNiceness(), confined);
    const home = hasNamespaces(layer) ? folder : HOME;
    const host = fork(/* turbopackIgnore: true */ this.#options.hostFile ?? fromRoot(HOST_FILE), [folder], {
      env: { NODE_ENV: 'production', PATH, HOME: home, LANG, TMPDIR: folder, ...browser.env },
      execPath: program,
      execArgv: [...args],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const gone = () => {
      if (this.#host === host) this.#host = undefined;
      for (const waiting of [...this.#waiting.values()]) if (waiting.host === host) waiting.settle(null);
      const remove = () => void removeFolder(folder).catch(() => undefined);
      remove();
      setTimeout(remove, BROWSER_END_MS).unref();
    };
    const onMessage = (message: unknown) => {
      const { data: answer } = hostAnswerSchema.safeParse(message);
      if (answer) this.#waiting.get(answer.id)?.settle(answer);
      else this.#killHost(host);
    };
    host.on(
      'message',
      guarded(onMessage, () => this.#killHost(host)),
    );
    const watch = host.pid === undefined ? undefined : this.#watch(host.pid);
    host.once(
      'exit',
      guarded(() => {
        watch?.end();
        gone();
      }),
    );
    host.on('error', guarded(gone));
    host.unref();
    host.channel?.unref();
    this.#host = host;
    this.#folder = folder;
    return host;
  }

  #watch(pid: number): ProcessTreeWatch {
    const maxBytes = this.#options.maxBytes ?? MAX_BYTES;
    return new ProcessTreeWatch({ pid, maxBytes, niceness: getStartNiceness() });
  }

  /** A host that is being killed gets no further page. */
  #killHost(host: ChildProcess): void {
    if (this.#host === host) this.#host = undefined;
    host.kill('SIGKILL');
  }

  /** On disconnect the host closes the browser and exits. */
  #endHost(): void {
    const host = this.#host;
    this.#host = undefined;
    if (host?.connected) host.disconnect();
  }
}

function chooseChromiumSandbox(layer: Layer): ChromiumSandbox {
  if (hasNamespaces(layer)) return 'preferred';
  // Chromium refuses to run its sandbox as root.
  return isRoot() ? 'off' : 'required';
}
/** Failures that may not recur when the page is drawn again. */
const MAY_PASS =
  /too much time|did not load within|ERR_(TIMED_OUT|CONNECTION_|NETWORK_|EMPTY_RESPONSE|INTERNET|INSUFFICIENT|ABORTED|FAILED)/;

function toRenderedPage(
  answer: HostResponse | null,
  session: ProxySession,
): Omit<RenderedPage, 'blockedRequests'> {
  if (answer === null) throw new SkillError('The page could not be drawn: it takes too much memory or time.');
  if (answer.ok) return answer.value;
  const host =
    answer.failedUrl !== undefined && URL.canParse(answer.failedUrl) ? new URL(answer.failedUrl).host : '';
  const refusal = session.findRefusal(host);
  if (refusal !== undefined) throw new InputError(refusal);
  if (!answer.expected) throw new Error(answer.message);
  throw MAY_PASS.test(answer.message) ? new SkillError(answer.message) : new InputError(answer.message);
}
