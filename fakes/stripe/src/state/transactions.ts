import { setTimeout as wait } from 'node:timers/promises';
import { keyInUse } from '../api/idempotency';
import { API_VERSION, type EventType, newStripeId, type StripeEvent } from '../resources/objects';
import type { Pause, Sql } from '../types';
import { saveResponse } from './idempotency-store';
import { lockState, ObjectStore, readClock } from './object-store';
import { createSchema } from './tables';

/** Read access to the objects. */
export interface State {
  store: ObjectStore;
  /** Seconds since the epoch, by the database's clock. */
  now: number;
  publicUrl: string;
}

/** Write access. Across all processes, one transaction runs at a time. */
export interface Transaction extends State {
  request: RequestIds;
  /** Set to drop the connection after the commit. */
  cut: boolean;
}

interface RequestIds {
  id: string | null;
  idempotencyKey: string | null;
}

/** For changes by a hosted page or by the fake itself. */
const NO_REQUEST: RequestIds = { id: null, idempotencyKey: null };

/** Stores an event; it is sent once the transaction has committed. */
export async function emit(
  tx: Transaction,
  type: EventType,
  object: object,
  previous?: Record<string, unknown>,
): Promise<void> {
  const event: StripeEvent = {
    id: newStripeId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: tx.now,
    data: previous ? { object, previous_attributes: previous } : { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: tx.request.id, idempotency_key: tx.request.idempotencyKey },
    type,
  };
  await tx.store.insert('event', event, {});
  await tx.store.queueDelivery(event.id);
}

const SLOW_CARD_MS = 2_000;

type StoredResponse = { status: number; body: string };

/** Reads run at any time, writes one after another. */
export class StateDatabase {
  readonly #sql: Sql;
  readonly #publicUrl: string;
  readonly #onCommit: () => void;
  readonly #pause: Pause;
  #schema: Promise<void> | null = null;
  /**
   * The last write of this process: to wait for the lock instead would occupy a connection each.
   */
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(sql: Sql, publicUrl: string, onCommit: () => void, pause: Pause = wait) {
    this.#sql = sql;
    this.#publicUrl = publicUrl;
    this.#onCommit = onCommit;
    this.#pause = pause;
  }

  /** The pool, once the schema exists. */
  async open(): Promise<Sql> {
    this.#schema ??= createSchema(this.#sql).catch((error) => {
      this.#schema = null;
      throw error;
    });
    await this.#schema;
    return this.#sql;
  }

  async pauseForSlowCard(): Promise<void> {
    await this.#pause(SLOW_CARD_MS);
  }

  async read<T>(query: (state: State) => Promise<T>): Promise<T> {
    const sql = await this.open();
    return await query({
      store: new ObjectStore(sql),
      now: await readClock(sql),
      publicUrl: this.#publicUrl,
    });
  }

  /**
   * Runs one transaction.
   * @param toResponse what to store under the request's Idempotency-Key, in the same transaction
   */
  async write<T>(
    change: (tx: Transaction) => Promise<T>,
    request: RequestIds = NO_REQUEST,
    toResponse?: (result: T) => StoredResponse,
  ): Promise<{ result: T; cut: boolean }> {
    const sql = await this.open();
    const write = this.#lastWrite.then(() => this.#transact(sql, change, request, toResponse));
    this.#lastWrite = write.catch(() => undefined);
    const done = await write;
    this.#onCommit();
    return done;
  }

  async #transact<T>(
    sql: Sql,
    change: (tx: Transaction) => Promise<T>,
    request: RequestIds,
    toResponse?: (result: T) => StoredResponse,
  ): Promise<{ result: T; cut: boolean }> {
    const done: { result: T; cut: boolean }[] = [];
    await sql.begin(async (connection) => {
      const tx: Transaction = {
        store: new ObjectStore(connection),
        now: await lockState(connection),
        publicUrl: this.#publicUrl,
        request,
        cut: false,
      };
      const result = await change(tx);
      const { id, idempotencyKey } = request;
      if (toResponse && id && idempotencyKey) {
        const { status, body } = toResponse(result);
        if (!(await saveResponse(connection, id, status, body))) throw keyInUse(idempotencyKey);
      }
      done.push({ result, cut: tx.cut });
    });
    const [only] = done;
    if (!only) throw new Error('a committed transaction has a result');
    return only;
  }
}
