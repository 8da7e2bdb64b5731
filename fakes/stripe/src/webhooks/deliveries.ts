import { createHmac } from 'node:crypto';
import { expireSession } from '../resources/checkout-sessions';
import { completeBankDebit } from '../resources/confirm-payment';
import {
  completeDelivery,
  delayDelivery,
  deleteExpired,
  type LeasedDelivery,
  leaseDeliveries,
} from '../state/delivery-store';
import type { StateDatabase } from '../state/transactions';
import type { DeliverEvent, Logger, SignedEvent } from '../types';

/** The delay after each failed attempt; after the last delay there is one more attempt. */
const RETRY_DELAYS_SECONDS = [1, 5, 25, 60, 120, 300, 600, 1_800, 3_600];
const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;
const CONCURRENCY = 8;
const POLL_MS = 1_000;
/** Shorter than the lease of a delivery. */
const RESPONSE_TIMEOUT_MS = 20_000;
const CLEANUP_INTERVAL_MS = 3_600_000;

interface Options {
  database: StateDatabase;
  webhookSecret: string;
  deliver: DeliverEvent;
  log: Logger;
}

/** The `Stripe-Signature` header of a body at a Unix time. */
function signBody(secret: string, body: string, seconds: number): string {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}

/** Does what no request triggers: sends events, completes bank debits, expires sessions. */
export class Deliveries {
  readonly #options: Options;
  #timer: NodeJS.Timeout | null = null;
  /** Each aborts the wait for one pending response. */
  readonly #aborts = new Set<(reason: Error) => void>();
  #running: Promise<void> | null = null;
  /** Something changed during a run, so another follows. */
  #runAgain = false;
  #cleanedAt = 0;
  #failing = false;

  constructor(options: Options) {
    this.#options = options;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.poll(), POLL_MS).unref();
    this.poll();
  }

  /** Sends nothing afterwards. The next process sends again what has no response yet. */
  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    for (const abort of this.#aborts) abort(new Error('closed before the webhook responded'));
    await this.#running;
  }

  /** Polls now instead of within a second; does nothing before `start` and after `close`. */
  poll(): void {
    if (!this.#timer) return;
    if (this.#running) {
      this.#runAgain = true;
      return;
    }
    this.#running = this.#run().finally(() => {
      this.#running = null;
    });
  }

  async #run(): Promise<void> {
    do {
      this.#runAgain = false;
      try {
        await this.#completeDueObjects();
        await this.#sendDueEvents();
        this.#failing = false;
      } catch (error) {
        // Logged once, not every second while the database is down.
        if (!this.#failing) this.#options.log.error('fake_stripe.delivery_failed', { error });
        this.#failing = true;
        return;
      }
    } while (this.#runAgain && this.#timer);
  }

  async #completeDueObjects(): Promise<void> {
    const { database } = this.#options;
    const { debits, sessions } = await database.read(async ({ store, now }) => ({
      debits: await store.listDueBankDebits(now),
      sessions: await store.listExpiredSessions(now),
    }));
    for (const { data } of debits) await database.write((tx) => completeBankDebit(tx, data.id));
    for (const { data } of sessions)
      await database.write(async (tx) => {
        const session = await tx.store.get('checkout.session', data.id);
        if (session.data.status === 'open') await expireSession(tx, data.id);
      });
    if (Date.now() - this.#cleanedAt < CLEANUP_INTERVAL_MS) return;
    this.#cleanedAt = Date.now();
    await deleteExpired(await database.open());
  }

  async #sendDueEvents(): Promise<void> {
    const sql = await this.#options.database.open();
    while (this.#timer) {
      const leased = await leaseDeliveries(sql, CONCURRENCY, MAX_ATTEMPTS);
      if (leased.length === 0) return;
      await Promise.all(leased.map((delivery) => this.#send(delivery)));
    }
  }

  async #send({ eventId, event, attempts }: LeasedDelivery): Promise<void> {
    const { database, webhookSecret } = this.#options;
    const sql = await database.open();
    const body = JSON.stringify(event, null, 2);
    // The clock of the process, not of the database: the receiver compares with its own.
    const signature = signBody(webhookSecret, body, Math.floor(Date.now() / 1000));
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Stripe-Signature': signature,
      'User-Agent': 'Stripe/1.0 (fake)',
    };
    const result = await this.#post({ headers, body }).then(
      ({ status }) => ({ ok: status >= 200 && status < 300, text: String(status) }),
      (error) => ({ ok: false, text: error instanceof Error ? error.message : String(error) }),
    );
    if (result.ok) await completeDelivery(sql, eventId, result.text);
    else await delayDelivery(sql, eventId, result.text, RETRY_DELAYS_SECONDS[attempts - 1] ?? 0);
  }

  /** With a timeout: a webhook that hangs blocks neither other events nor `close`. */
  async #post(event: SignedEvent): Promise<{ status: number }> {
    let abort: (reason: Error) => void = () => undefined;
    const aborted = new Promise<never>((_, reject) => {
      abort = reject;
    });
    const timer = setTimeout(
      () => abort(new Error('the webhook did not respond in 20 seconds')),
      RESPONSE_TIMEOUT_MS,
    ).unref();
    this.#aborts.add(abort);
    try {
      return await Promise.race([this.#options.deliver(event), aborted]);
    } finally {
      clearTimeout(timer);
      this.#aborts.delete(abort);
    }
  }
}
