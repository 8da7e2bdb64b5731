import { createHmac } from 'node:crypto';
import type { Logger } from '../../../kit/log';
import { expireSession } from './checkout-sessions';
import { settleBankDebit } from './confirm-payment';
import {
  delayDelivery,
  finishDelivery,
  forgetOld,
  type TakenDelivery,
  takeDeliveries,
} from './delivery-store';
import type { StandinDatabase } from './work';

/** Posts an event to the gateway's webhook. */
export type Deliver = (request: {
  headers: Record<string, string>;
  body: string;
}) => Promise<{ status: number }>;

/** After the first, second, … attempt: as often as this list is long, and once more. */
const WAITS_SECONDS = [1, 5, 25, 60, 120, 300, 600, 1_800, 3_600];
const ATTEMPTS = WAITS_SECONDS.length + 1;
const AT_ONCE = 8;
const POLL_MS = 1_000;
/** Less than the lease of a delivery. */
const ANSWER_MS = 20_000;
const FORGET_MS = 3_600_000;

interface Options {
  database: StandinDatabase;
  webhookSecret: string;
  deliver: Deliver;
  log: Logger;
}

/** The `Stripe-Signature` of a body at a time. */
export function signBody(secret: string, body: string, seconds: number): string {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}

/** What happens without a request: events are sent, bank debits end, sessions run out. */
export class Deliveries {
  readonly #options: Options;
  #timer: NodeJS.Timeout | null = null;
  /** Ends the wait for each answer that has not come yet. */
  readonly #waits = new Set<(reason: Error) => void>();
  #running: Promise<void> | null = null;
  /** Something changed while it ran: it runs again. */
  #again = false;
  #forgotAt = 0;
  #failing = false;

  constructor(options: Options) {
    this.#options = options;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.kick(), POLL_MS).unref();
    this.kick();
  }

  /** Afterwards nothing is sent; what has no answer yet is sent again by the next process. */
  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    for (const end of this.#waits) end(new Error('the gateway stops'));
    await this.#running;
  }

  /** Looks now instead of within a second; nothing before `start` and after `close`. */
  kick(): void {
    if (!this.#timer) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = this.#run().finally(() => {
      this.#running = null;
    });
  }

  async #run(): Promise<void> {
    do {
      this.#again = false;
      try {
        await this.#passTime();
        await this.#sendDue();
        this.#failing = false;
      } catch (error) {
        // Once, not every second for as long as the database is away.
        if (!this.#failing)
          this.#options.log.error('the stand-in for Stripe could not send its events', { error });
        this.#failing = true;
        return;
      }
    } while (this.#again && this.#timer);
  }

  async #passTime(): Promise<void> {
    const { database } = this.#options;
    const { settling, expiring } = await database.read(async ({ store, now }) => ({
      settling: await store.settling(now),
      expiring: await store.expiring(now),
    }));
    for (const { data } of settling) await database.write((work) => settleBankDebit(work, data.id));
    for (const { data } of expiring)
      await database.write(async (work) => {
        const session = await work.store.get('checkout.session', data.id);
        if (session.data.status === 'open') await expireSession(work, data.id);
      });
    if (Date.now() - this.#forgotAt < FORGET_MS) return;
    this.#forgotAt = Date.now();
    await forgetOld(await database.open());
  }

  async #sendDue(): Promise<void> {
    const sql = await this.#options.database.open();
    while (this.#timer) {
      const taken = await takeDeliveries(sql, AT_ONCE, ATTEMPTS);
      if (taken.length === 0) return;
      await Promise.all(taken.map((delivery) => this.#send(delivery)));
    }
  }

  async #send({ eventId, event, attempts }: TakenDelivery): Promise<void> {
    const { database, webhookSecret } = this.#options;
    const sql = await database.open();
    const body = JSON.stringify(event, null, 2);
    // By this process's clock: it is the one that verifies it.
    const signature = signBody(webhookSecret, body, Math.floor(Date.now() / 1000));
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Stripe-Signature': signature,
      'User-Agent': 'Stripe/1.0 (stand-in)',
    };
    const answer = await this.#ask({ headers, body }).then(
      ({ status }) => ({ ok: status >= 200 && status < 300, text: String(status) }),
      (error) => ({ ok: false, text: error instanceof Error ? error.message : String(error) }),
    );
    if (answer.ok) await finishDelivery(sql, eventId, answer.text);
    else await delayDelivery(sql, eventId, answer.text, WAITS_SECONDS[attempts - 1] ?? 0);
  }

  /** A webhook that does not answer holds up nobody, least of all the end. */
  async #ask(request: Parameters<Deliver>[0]): Promise<{ status: number }> {
    let end: (reason: Error) => void = () => undefined;
    const tooLate = new Promise<never>((_, reject) => {
      end = reject;
    });
    const timer = setTimeout(() => end(new Error('no answer in time')), ANSWER_MS).unref();
    this.#waits.add(end);
    try {
      return await Promise.race([this.#options.deliver(request), tooLate]);
    } finally {
      clearTimeout(timer);
      this.#waits.delete(end);
    }
  }
}
