import type { Sql } from './client';
import type { DatabaseSocket } from './database-socket';
import type { PoolBounds } from './pool-bounds';

const PAUSE_MS = 3_000;
/** A query that the driver rejects occupies its connection for another round trip; wait for it. */
const REFUSED_MS = 250;

/** The parts of the driver's Query that are hooked: the handler runs it, the others complete it. */
interface Query {
  handler(query: Query): void;
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

interface Waiting {
  since: number;
  start(): void;
  refuse(error: Error): void;
}

/** A statement, BEGIN or COMMIT that PostgreSQL has not answered yet. */
interface Running {
  readonly since: number;
}

type Begin = (options: string, body: (tx: Sql) => unknown) => Promise<unknown>;

/**
 * Limits how long statements wait. The driver has no limit, so an unresponsive database would block
 * its statements, and all behind them, forever. A timer closes connections that are silent for too
 * long; their statements fail and the pool reconnects.
 *
 * It also assigns connections, one statement each: statements cannot leave the driver's own queue,
 * and it sends statements behind slow ones.
 */
export class QueryWatch {
  readonly #sockets: ReadonlySet<DatabaseSocket>;
  readonly #running = new Set<Running>();
  readonly #timer: NodeJS.Timeout;
  readonly #bounds: Readonly<PoolBounds>;
  #waiting: Waiting[] = [];
  #free: number;

  /**
   * @param max connections of the pool
   * @param sockets the open connections
   */
  constructor(max: number, sockets: ReadonlySet<DatabaseSocket>, bounds: Readonly<PoolBounds>) {
    this.#free = max;
    this.#sockets = sockets;
    this.#bounds = bounds;
    let before = performance.now();
    this.#timer = setInterval(() => {
      const now = performance.now();
      // After a stall of this process, first read the responses that arrived during it.
      if (now - before < PAUSE_MS) this.check(now);
      before = now;
    }, bounds.checkMs);
    this.#timer.unref();
  }

  /** Connections in use, and statements waiting for one. */
  get counts(): { running: number; waiting: number } {
    return { running: this.#running.size, waiting: this.#waiting.length };
  }

  /** Wraps a pool, so that its statements are watched. */
  watch(sql: Sql): Sql {
    const hook = hookQueries((query, run) => this.#submit(query, run));
    const begin: Begin = (options, body) => this.#begin(sql, options, body);
    return proxy(sql, hook, (...args: unknown[]) =>
      args.length === 1 ? begin('', args[0] as never) : begin(args[0] as string, args[1] as never),
    );
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { refuse } of this.#waiting.splice(0)) refuse(unavailable('CONNECTION_ENDED'));
  }

  /**
   * Closes connections that are silent for too long, and rejects statements that waited too long.
   */
  check(now: number): void {
    const { waitMs, silenceMs, longestMs } = this.#bounds;
    const late = this.#waiting.filter(({ since }) => now - since >= waitMs);
    if (late.length > 0) {
      this.#waiting = this.#waiting.filter(({ since }) => now - since < waitMs);
      for (const { refuse } of late) refuse(unavailable('CONNECTION_WAIT_TIMEOUT'));
    }
    let silent = false;
    let overdue = false;
    for (const { since } of this.#running) {
      silent ||= now - since >= silenceMs;
      overdue ||= now - since >= longestMs;
    }
    for (const socket of [...this.#sockets])
      if (overdue || (now - socket.silentSince(now) >= silenceMs && silent)) socket.destroy();
  }

  #submit(query: Query, run: (query: Query) => void): void {
    const start = () => {
      this.#free--;
      let sent = false;
      this.#follow(query, () => {
        if (sent) this.#release();
        else setTimeout(() => this.#release(), REFUSED_MS);
      });
      run(query);
      sent = true;
    };
    if (this.#free > 0) start();
    else this.#waiting.push({ since: performance.now(), start, refuse: (error) => query.reject(error) });
  }

  /** Counts a query as running until it completes. */
  #follow(query: Query, onEnd: () => void): void {
    const entry: Running = { since: performance.now() };
    this.#running.add(entry);
    const { resolve, reject } = query;
    const end = () => {
      // The driver may complete a query twice if its connection breaks.
      if (this.#running.delete(entry)) onEnd();
    };
    query.resolve = (value) => {
      end();
      resolve(value);
    };
    query.reject = (reason) => {
      end();
      reject(reason);
    };
  }

  #release(): void {
    this.#free++;
    // Deferred, because the driver first takes back the connection that has just responded.
    if (this.#waiting.length > 0) queueMicrotask(() => this.#pump());
  }

  #pump(): void {
    while (this.#free > 0 && this.#waiting.length > 0) this.#waiting.shift()?.start();
  }

  /** A transaction holds its connection from BEGIN to COMMIT. */
  async #begin(sql: Sql, options: string, body: (tx: Sql) => unknown): Promise<unknown> {
    await this.#takeConnection();
    const outside = this.#enter();
    const work = new TransactionWatch((query, onEnd) => this.#follow(query, onEnd));
    let ending: Running | undefined;
    try {
      return await (sql.begin as unknown as Begin)(options, async (tx) => {
        this.#running.delete(outside);
        try {
          return await work.runBody(() => body(work.watch(tx)));
        } finally {
          ending = this.#enter();
        }
      });
    } finally {
      this.#running.delete(outside);
      if (ending) this.#running.delete(ending);
      work.end();
      this.#release();
    }
  }

  #enter(): Running {
    const entry: Running = { since: performance.now() };
    this.#running.add(entry);
    return entry;
  }

  #takeConnection(): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        this.#free--;
        resolve();
      };
      if (this.#free > 0) start();
      else this.#waiting.push({ since: performance.now(), start, refuse: reject });
    });
  }
}

/** Watches the statements of a transaction, which share its connection and end with it. */
class TransactionWatch {
  readonly #follow: (query: Query, onEnd: () => void) => void;
  readonly #open = new Set<Query>();
  /** Whether its connection is broken or the transaction is over: nothing more is sent. */
  lost = false;

  constructor(follow: (query: Query, onEnd: () => void) => void) {
    this.#follow = follow;
  }

  watch(tx: Sql): Sql {
    const hook = hookQueries((query, run) => {
      if (this.lost) {
        query.reject(unavailable('CONNECTION_CLOSED'));
        return;
      }
      this.#open.add(query);
      this.#follow(query, () => this.#open.delete(query));
      const { reject } = query;
      query.reject = (reason) => {
        this.lost ||= isLost(reason);
        reject(reason);
      };
      run(query);
    });
    const savepoint = async (...args: unknown[]) => {
      if (this.lost) throw unavailable('CONNECTION_CLOSED');
      const body = args.at(-1) as (inner: Sql) => unknown;
      const inner = (point: Sql) => this.runBody(() => body(this.watch(point)));
      const { savepoint: original } = tx as unknown as { savepoint(...args: unknown[]): Promise<unknown> };
      try {
        return await original(...args.slice(0, -1), inner);
      } catch (error) {
        this.lost ||= isLost(error);
        throw error;
      }
    };
    return proxy(tx, hook, undefined, savepoint);
  }

  /** Runs the body of a transaction or savepoint. Never resolves if the connection broke. */
  async runBody(body: () => unknown): Promise<unknown> {
    try {
      const made = body();
      return await (Array.isArray(made) ? Promise.all(made) : made);
    } finally {
      // The caller has the driver's error already. COMMIT or ROLLBACK would reach the connection's
      // next user.
      if (this.lost) await new Promise(() => undefined);
    }
  }

  /** Rejects statements that were still queued when the transaction ended. */
  end(): void {
    this.lost = true;
    for (const query of [...this.#open]) query.reject(unavailable('CONNECTION_CLOSED'));
  }
}

/** Puts `submit` before the driver's handler. One for all queries of a pool or transaction. */
function hookQueries(submit: (query: Query, run: (query: Query) => void) => void): (made: unknown) => void {
  let run: ((query: Query) => void) | undefined;
  const handler = (query: Query) => submit(query, run as (query: Query) => void);
  return (made) => {
    // The same function creates identifiers and lists, which are no queries.
    if (!(made instanceof Promise) || !('handler' in made)) return;
    const query = made as unknown as Query;
    run ??= query.handler;
    query.handler = handler;
  };
}

/** Proxies the functions that create queries, and passes each query to `hook` before it runs. */
function proxy(
  sql: Sql,
  hook: (made: unknown) => void,
  begin?: (...args: unknown[]) => unknown,
  savepoint?: (...args: unknown[]) => unknown,
): Sql {
  const unsafe = (...args: unknown[]) => {
    const made = (sql.unsafe as (...args: unknown[]) => unknown)(...args);
    hook(made);
    return made;
  };
  const own: Record<string, unknown> = { unsafe, begin, savepoint };
  return new Proxy(sql, {
    apply(target, self, args) {
      const made = Reflect.apply(target as never, self, args);
      hook(made);
      return made;
    },
    get: (target, name) => own[name as string] ?? Reflect.get(target, name),
  });
}

const LOST = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNRESET',
  'EPIPE',
]);

/** Whether a statement failed because its connection is lost. */
function isLost(error: unknown): boolean {
  return LOST.has(String((error as { code?: unknown } | null)?.code));
}

/** Creates an error like the driver's, identified by its code. */
function unavailable(code: string): Error {
  return Object.assign(new Error(`No database connection is available: ${code}`), { code });
}
