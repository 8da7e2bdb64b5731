import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from '@/db/client';
import { keyInUse } from './idempotency';
import { API_VERSION, type EventType, newStripeId, type StandinEvent } from './objects';
import { finishRequest } from './request-store';
import { createSchema } from './schema-store';
import { lockForChange, Store, tellTime } from './store';

/** What a look at the objects needs. */
export interface Reading {
  store: Store;
  /** Seconds since the epoch, by the database's clock. */
  now: number;
  publicUrl: string;
}

/** A change: one transaction, of which there is one at a time in all processes. */
export interface Work extends Reading {
  request: RequestNames;
  /** Set where the answer is to be lost after the commit. */
  cut: boolean;
}

export interface RequestNames {
  id: string | null;
  idempotencyKey: string | null;
}

/** Nobody's request: the stand-in itself or a person on its pages. */
export const NO_REQUEST: RequestNames = { id: null, idempotencyKey: null };

/** Writes an event and has it sent once the change is committed. */
export async function emit(
  work: Work,
  type: EventType,
  object: object,
  previous?: Record<string, unknown>,
): Promise<void> {
  const event: StandinEvent = {
    id: newStripeId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: work.now,
    data: previous ? { object, previous_attributes: previous } : { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: work.request.id, idempotency_key: work.request.idempotencyKey },
    type,
  };
  await work.store.insert('event', event, {});
  await work.store.queueDelivery(event.id);
}

/** How long a pause takes: tests decide by themselves when it ends. */
export type Pause = (ms: number) => Promise<unknown>;

const SLOW_CARD_MS = 2_000;

/** How the stand-in reaches its state: looks at any time, changes one after another. */
export class StandinDatabase {
  readonly #sql: Sql;
  readonly #publicUrl: string;
  readonly #changed: () => void;
  readonly #pause: Pause;
  #ready: Promise<void> | null = null;
  /** Waiting here costs nothing; waiting for the lock would take a connection of the pool each. */
  #turn: Promise<unknown> = Promise.resolve();

  /** @param changed called after every commit */
  constructor(sql: Sql, publicUrl: string, changed: () => void, pause: Pause = wait) {
    this.#sql = sql;
    this.#publicUrl = publicUrl;
    this.#changed = changed;
    this.#pause = pause;
  }

  /** The pool, once the schema is there. */
  async open(): Promise<Sql> {
    this.#ready ??= createSchema(this.#sql).catch((error) => {
      this.#ready = null;
      throw error;
    });
    await this.#ready;
    return this.#sql;
  }

  /** What a card whose answers take their time makes its request wait for. */
  async pauseForSlowCard(): Promise<void> {
    await this.#pause(SLOW_CARD_MS);
  }

  async read<T>(look: (reading: Reading) => Promise<T>): Promise<T> {
    const sql = await this.open();
    return await look({ store: new Store(sql), now: await tellTime(sql), publicUrl: this.#publicUrl });
  }

  /**
   * Changes something in one transaction.
   * @param keep the answer to keep under the request's Idempotency-Key, in the same transaction
   */
  async write<T>(
    act: (work: Work) => Promise<T>,
    request: RequestNames = NO_REQUEST,
    keep?: (result: T) => { status: number; body: string },
  ): Promise<{ result: T; cut: boolean }> {
    const sql = await this.open();
    const mine = this.#turn.then(() => this.#transact(sql, act, request, keep));
    this.#turn = mine.catch(() => undefined);
    const done = await mine;
    this.#changed();
    return done;
  }

  async #transact<T>(
    sql: Sql,
    act: (work: Work) => Promise<T>,
    request: RequestNames,
    keep?: (result: T) => { status: number; body: string },
  ): Promise<{ result: T; cut: boolean }> {
    const done: { result: T; cut: boolean }[] = [];
    await sql.begin(async (tx) => {
      const now = await lockForChange(tx);
      const work: Work = {
        store: new Store(tx),
        now,
        publicUrl: this.#publicUrl,
        request,
        cut: false,
      };
      const result = await act(work);
      const { id, idempotencyKey } = request;
      if (keep && id && idempotencyKey) {
        const { status, body } = keep(result);
        if (!(await finishRequest(tx, id, status, body))) throw keyInUse(idempotencyKey);
      }
      done.push({ result, cut: work.cut });
    });
    const [only] = done;
    if (!only) throw new Error('a committed transaction has a result');
    return only;
  }
}
