import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { POOL_BOUNDS } from '@/db/pool-bounds';
import { Dispatcher } from '@/server/api/dispatch/dispatch';
import { handlePaymentWebhook } from '@/server/api/http/payment-webhook';
import { writeEvents } from '@/server/api/http/sse';
import type { McpSurface } from '@/server/api/mcp/surface';
import type { HttpRequest, HttpResponse } from '@/server/core/http/message';
import { BodyTooLarge, isBytes, isStream } from '@/server/core/http/message';
import type { Runtime } from '@/server/core/runtime';
import type { Deprecations } from '@/server/core/versions/deprecations';
import { openPersonalAccount } from '@/server/identity/accounts/open-personal-account';
import { insertAccount, insertMembership, insertUser } from '@/server/identity/accounts/store';
import { generateKey } from '@/server/identity/keys/key-format';
import { insertKey } from '@/server/identity/keys/store';
import { newId } from '@/server/kit/ids';
import { createLogger } from '@/server/kit/log';
import { BACKGROUND_JOBS } from '@/server/lifecycle/background-jobs';
import { startRuntime } from '@/server/main/start-runtime';
import { grantCredit } from '@/server/money/billing/ledger';
import type { RepeatingJob } from '@/server/platform/background/job-timer';
import type { DeliverEvent, Ports } from '@/server/platform/ports/ports';
import { PACE, type Pace } from '@/server/platform/settings/pace';
import { readBootedSettings } from '@/server/platform/settings/settings';
import type { ToolDefinition } from '@/server/tools/sdk/define-tool';
import { createTestDatabase, type TestDatabase } from './database';
import { openListener } from './listener';
import { linkScratch } from './process-scratch';

interface HarnessOptions {
  tools?: readonly ToolDefinition[];
  env?: Record<string, string>;
  /** Replaces the table of deprecations. */
  deprecations?: Deprecations;
  /** Fakes that replace the ports selected by the settings. */
  ports?: Partial<Ports>;
  /**
   * Starts the fake Stripe. Without it or a `payments` port, the harness sells no credit.
   */
  fakeStripe?: boolean;
  /** Receives each event of the fake Stripe first; return false to drop it. */
  onEvent?: (event: Parameters<DeliverEvent>[0]) => boolean;
  /**
   * Adds a process to this gateway: it shares the database and must be closed first.
   */
  peer?: Harness;
  /**
   * `web` starts the background work: timers, queue, listeners. Without it, the test does that work
   * itself. `command` has the pool of a command too, without time limits.
   */
  role?: 'web' | 'command';
  /**
   * Replaces the background jobs of role `web`, whose first runs come at a random time. By default
   * without those that sample, alert and reconcile: they use what tests count.
   */
  jobs?: readonly RepeatingJob[];
  /** Starts an HTTP server on a free port of 127.0.0.1 and uses its URL as the base URL. */
  listen?: boolean;
  /** Replaces what the gateway offers over MCP. */
  mcpSurface?: McpSurface | undefined;
  /** Replaces the statement timeout. */
  statementMs?: number;
  /** Replaces intervals of the process. */
  pace?: Partial<Pace>;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  body: any;
  text: string;
}

interface RequestOptions {
  key?: string | undefined;
  json?: unknown;
  /** The raw body. */
  raw?: string | Buffer;
  headers?: Record<string, string> | undefined;
  ip?: string;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal | undefined;
}

/**
 * A gateway on its own database, without sockets: requests go directly to the dispatcher.
 */
export interface Harness {
  runtime: Runtime;
  dispatcher: Dispatcher;
  /** `http://127.0.0.1:<port>` with `listen: true`, otherwise a URL without a server. */
  baseUrl: string;
  log: string[];
  request(method: string, target: string, options?: RequestOptions): Promise<Answer>;
  /** Creates a person with a personal account, a key and credit. */
  person(creditMicrousd?: bigint): Promise<{ userId: string; accountId: string; key: string; keyId: string }>;
  addKey(accountId: string, creditsMicrousd?: bigint): Promise<{ key: string; keyId: string }>;
  team(ownerUserId: string, slug: string, creditMicrousd: bigint): Promise<string>;
  /** Shuts down as on SIGTERM; the database stays until `close`. */
  stop(boundMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Starts a harness; call `close` in afterAll. */
export async function startHarness({
  tools,
  deprecations,
  env = {},
  ports,
  fakeStripe = false,
  onEvent = () => true,
  peer,
  role,
  listen = false,
  mcpSurface,
  statementMs,
  jobs = role === 'web' ? BACKGROUND_JOBS : [],
  pace,
}: HarnessOptions = {}): Promise<Harness> {
  const database: TestDatabase = peer
    ? { url: peer.runtime.settings.databaseUrl, drop: async () => undefined }
    : await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'gateway-harness-'));
  await linkScratch(dataDir);
  // Bound first, as in production: URLs are built from the base URL.
  const listener = listen ? await openListener() : null;
  const settings = readBootedSettings({
    NODE_ENV: 'test',
    GATEWAY_ENV: 'local',
    STRIPE_FAKE: fakeStripe ? '1' : '0',
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    BASE_URL: listener?.baseUrl ?? 'http://gateway.test',
    AUTH_SECRET: randomBytes(32).toString('base64'),
    VAULT_KEY: randomBytes(32).toString('base64'),
    CLAIM_SECRET: randomBytes(32).toString('base64'),
    // Tests must not depend on the confinement that the machine supports.
    UNCONFINED_SQL: '1',
    WORKER_NICENESS: '0',
    ...env,
  });
  const log: string[] = [];
  const deliver: DeliverEvent = async ({ headers, body }) => {
    if (!onEvent({ headers, body })) return { status: 200 };
    const request = new Request(`${settings.baseUrl}/api/stripe/webhook`, { method: 'POST', headers, body });
    return await handlePaymentWebhook(request, runtime);
  };
  const started = startRuntime({
    settings,
    tools,
    deprecations,
    ports,
    role,
    // Background work costs as much as all else of a start, and queries at a random time.
    waits: role === undefined,
    jobs,
    poolBounds: statementMs === undefined ? undefined : { ...POOL_BOUNDS, statementMs },
    // Starting processes and connections takes longer on a busy machine.
    pace: { ...PACE, engineSearchMs: 60_000, listenPulseMs: 60_000, ...pace },
    deliver,
    log: createLogger(
      (line) => {
        log.push(line);
        if (process.env.SHOW_LOG) process.stderr.write(line);
      },
      { level: settings.operation.logLevel },
    ),
  });
  const { runtime } = started;
  let stopped: Promise<void> | undefined;
  const stop = (boundMs: number) => {
    stopped ??= started.close(boundMs);
    return stopped;
  };
  const dispatcher = new Dispatcher(runtime, mcpSurface);
  listener?.answerWith(dispatcher);

  const addKey: Harness['addKey'] = async (accountId, creditsMicrousd) => {
    const { secret, hash, mask } = generateKey();
    const row = { id: newId('key'), accountId, name: 'test key', keyHash: hash, mask };
    await insertKey(runtime.db, { ...row, creditsMicrousd: creditsMicrousd ?? null });
    return { key: secret, keyId: row.id };
  };
  const grant = async (accountId: string, amount: bigint) => {
    if (amount > 0n)
      await runtime.db.transaction((tx) =>
        grantCredit(tx, { accountId, amount, ref: `test:${newId('request')}`, memo: 'test' }),
      );
  };
  return {
    runtime,
    dispatcher,
    baseUrl: settings.baseUrl,
    log,
    request: (method, target, options = {}) => sendRequest(dispatcher, method, target, options),
    async person(creditMicrousd = 0n) {
      const userId = newId('user');
      const email = `${userId}@example.test`;
      await insertUser(runtime.db, { id: userId, email, name: 'Test Person' });
      const { id: accountId } = await openPersonalAccount(runtime.db, {
        id: userId,
        email,
        name: 'Test Person',
      });
      await grant(accountId, creditMicrousd);
      return { userId, accountId, ...(await addKey(accountId)) };
    },
    addKey,
    async team(ownerUserId, slug, creditMicrousd) {
      const id = newId('account');
      await insertAccount(runtime.db, { id, type: 'team', name: slug, slug, ownerUserId });
      await insertMembership(runtime.db, { accountId: id, userId: ownerUserId, role: 'owner' });
      await grant(id, creditMicrousd);
      return id;
    },
    stop,
    async close() {
      await listener?.close();
      await stop(0);
      await database.drop();
      // An abandoned call may still write a file.
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function sendRequest(
  dispatcher: Dispatcher,
  method: string,
  target: string,
  options: RequestOptions,
): Promise<Answer> {
  const answer = await dispatcher.answer(testRequest(method, target, options));
  const body = await readText(answer.body);
  return { ...describe({ ...answer, body }), text: body ?? '' };
}

/** Reads a body, or an event stream to its end, as text. */
async function readText(body: HttpResponse['body']): Promise<string | null> {
  if (body === null || typeof body === 'string') return body;
  if (Buffer.isBuffer(body)) return body.toString();
  let text = '';
  if (isStream(body)) return await new Response(body.stream).text();
  if (isBytes(body)) {
    for await (const chunk of body.bytes) text += Buffer.from(chunk).toString('latin1');
    return text;
  }
  await writeEvents(body, (chunk) => {
    text += chunk;
    return true;
  });
  return text;
}

function describe({
  status,
  headers,
  body,
}: {
  status: number;
  headers: Record<string, string>;
  body: string | null;
}) {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const isJson = lower['content-type']?.includes('json') ?? false;
  return { status, headers: lower, body: body && isJson ? JSON.parse(body) : null };
}

function testRequest(method: string, target: string, options: RequestOptions): HttpRequest {
  const raw = options.raw ?? (options.json === undefined ? '' : JSON.stringify(options.json));
  const bytes = typeof raw === 'string' ? Buffer.from(raw) : raw;
  const headers: Record<string, string> = {
    ...(bytes.length > 0 ? { 'content-type': 'application/json' } : {}),
    ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
    ...options.headers,
  };
  return {
    method,
    target,
    header: (name) => headers[name],
    *headersWith(prefix) {
      for (const entry of Object.entries(headers)) if (entry[0].startsWith(prefix)) yield entry;
    },
    remoteAddress: options.ip ?? '127.0.0.1',
    signal: options.signal ?? new AbortController().signal,
    async body(limit) {
      if (bytes.length > limit) throw new BodyTooLarge();
      return bytes;
    },
    stream: () => Readable.from(bytes.length > 0 ? [bytes] : []),
  };
}
