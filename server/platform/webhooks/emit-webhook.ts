import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import type { WebhookEventType } from './limits';

/** The data of the events that are emitted here; SQL functions emit the others. */
interface WebhookData {
  'key.claimed': {
    key_id: string;
    name: string;
    key_prefix: string;
    account_id: string;
    claimed_from: string;
  };
  'key.expiring': { key_id: string; name: string; key_prefix: string; expires_at: string };
  'auto_recharge.failed': {
    account_id: string;
    reason: 'declined' | 'hourly_cap' | 'daily_cap' | 'daily_limit';
    /** The provider's decline code. */
    code: string | null;
    /** Whether auto-recharge is off now. */
    stopped: boolean;
  };
}

interface EmittedEvent<T extends keyof WebhookData & WebhookEventType> {
  accountId: string;
  type: T;
  data: WebhookData[T];
  /** What has this event only once, for example a key; absent for events without it. */
  dedupe?: string;
}

/**
 * Writes an event for the endpoints of the account that want it, in the transaction of what it
 * reports; it is sent once that commits.
 */
export async function emitWebhook<T extends keyof WebhookData & WebhookEventType>(
  tx: Executor,
  { accountId, type, data, dedupe }: EmittedEvent<T>,
): Promise<void> {
  await tx.execute(
    sql`select emit_webhook(${accountId}, ${type}, ${JSON.stringify(data)}::text::json, ${dedupe ?? null})`,
  );
}
