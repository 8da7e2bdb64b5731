// Looks at the running calls all the time: what a dead process has left behind must be gone when its lease has run out.
import { setTimeout as sleep } from 'node:timers/promises';

const SAMPLE_MS = 250;

/** The longest that anything was seen to stay. */
export class Watch {
  samples = 0;
  /** Seconds since the lease of a call ran out that was still there. */
  overdueSeconds = 0;
  /** Seconds since a call was opened that was still there. */
  oldestSeconds = 0;
  #over = false;
  #work;

  /** @param {import('./mortal-gateway.mjs').MortalGateway} gateway */
  constructor(gateway) {
    this.#work = this.#watch(gateway);
  }

  async end() {
    this.#over = true;
    await this.#work;
  }

  /** @param {import('./mortal-gateway.mjs').MortalGateway} gateway */
  async #watch(gateway) {
    while (!this.#over) {
      await sleep(SAMPLE_MS);
      try {
        const [row] = await gateway.sql`
          select coalesce(max(extract(epoch from clock_timestamp() - lease_expires_at)), 0)::float as overdue,
            coalesce(max(extract(epoch from clock_timestamp() - created_at)), 0)::float as oldest from calls`;
        this.samples++;
        this.overdueSeconds = Math.max(this.overdueSeconds, row?.overdue);
        this.oldestSeconds = Math.max(this.oldestSeconds, row?.oldest);
      } catch {
        // The database is just dead: the next look sees what it left.
      }
    }
  }
}
