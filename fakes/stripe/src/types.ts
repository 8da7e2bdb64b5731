import type postgres from 'postgres';

/** A pool of postgres.js, without the option `transform`. */
export type Sql = postgres.Sql;

/** The pool, or a transaction of it. */
export type Executor = postgres.ISql;

/** `console` is one. */
export interface Logger {
  error(message: string, fields?: Record<string, unknown>): void;
}

/** A signed event, as Stripe posts it to a webhook. */
export interface SignedEvent {
  headers: Record<string, string>;
  body: string;
}

/** Posts an event to the webhook. Any status but 2xx, and an error, makes it try again later. */
export type DeliverEvent = (event: SignedEvent) => Promise<{ status: number }>;

/** Waits. A test replaces it to decide itself when a slow card responds. */
export type Pause = (ms: number) => Promise<unknown>;
