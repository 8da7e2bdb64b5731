import { setTimeout as sleep } from 'node:timers/promises';
import { BootError, errorCode } from '../process/boot-error';

/** Lock timeout, or deadlock victim: nothing was changed, so the transaction can be retried. */
const BUSY: readonly (string | undefined)[] = ['55P03', '40P01'];

export interface MigrationWaits {
  /** How long a statement may queue for a table, because all traffic to it queues behind. */
  readonly lockTimeoutMs: number;
  /** The pause between two tries, which lets traffic through. */
  readonly pauseMs: number;
  readonly tries: number;
}

export const MIGRATION_WAITS: MigrationWaits = { lockTimeoutMs: 1_000, pauseMs: 2_000, tries: 90 };

/**
 * Retries a transaction whose tables are busy.
 * @throws BootError if they stay busy
 */
export async function retryWhileBusy(
  { pauseMs, tries }: MigrationWaits,
  transaction: () => Promise<void>,
): Promise<void> {
  for (let nth = 1; ; nth++)
    try {
      return await transaction();
    } catch (cause) {
      if (!BUSY.includes(errorCode(cause))) throw cause;
      if (nth === tries)
        throw new BootError(
          'The database could not be migrated because a table stayed busy. Nothing was applied halfway.\n' +
            'Find the long-running transaction in pg_stat_activity, end it, and start again.',
          { cause },
        );
      await sleep(pauseMs);
    }
}
