import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, integer, json, type RowOf, text, timestamptz } from '@/db/rows';
import type { webhookDeliveries } from '@/db/schema/webhooks';
import type { WebhookPayload } from './delivery-store';

type DeliveryState = (typeof webhookDeliveries.$inferSelect)['state'];

const idRow = defineRow({ id: text() });

/** Writes a test event for one endpoint. */
export async function insertTestEvent(
  tx: Executor,
  { accountId, endpointId }: { accountId: string; endpointId: string },
): Promise<string> {
  const data = JSON.stringify({ message: 'A test event. Nothing happened.' });
  const [row] = await idRow.read(
    tx.execute(sql`
      select enqueue_webhook(${accountId}, ${endpointId}, null, new_id('msg'), 'webhook.test', ${data}::text::json) as id`),
  );
  return (row as { id: string }).id;
}

/** How often a delivery can be replayed: each time has all retries, and all are in the log. */
export const MAX_REPLAYS = 10;

/**
 * Sends ended deliveries of an endpoint again, as new ones: with all retries, but the same
 * `webhook-id`. A pending one becomes due now. One at MAX_REPLAYS is left out.
 * @returns how many
 */
export async function replayDeliveries(
  tx: Executor,
  endpointId: string,
  which: { id: string } | { failedUpTo: number },
): Promise<number> {
  const chosen =
    'id' in which
      ? sql`select d.id from webhook_deliveries d where d.holder_id = ${endpointId} and d.id = ${which.id}
          and d.replays < ${MAX_REPLAYS}`
      : sql`select d.id from webhook_deliveries d where d.holder_id = ${endpointId} and d.state = 'failed'
          and d.replays < ${MAX_REPLAYS}
          order by d.id limit ${which.failedUpTo}`;
  const rows = await tx.execute(sql`
    with chosen as (${chosen}), again as (
      update webhook_deliveries d set state = 'pending', attempts = 0, replays = replays + 1, next_attempt_at = clock_timestamp(),
        expires_at = clock_timestamp() + interval '24 hours', finished_at = null, queued_at = clock_timestamp()
      from chosen where d.id = chosen.id returning d.id
    )
    select pg_notify('gateway', 'webhooks') from again`);
  return rows.length;
}

const deliveryRow = defineRow({
  id: text(),
  event_id: text(),
  type: text(),
  state: text<DeliveryState>(),
  attempts: integer(),
  next_attempt_at: timestamptz().nullable(),
  last_status: integer().nullable(),
  last_error: text().nullable(),
  created_at: timestamptz(),
  finished_at: timestamptz().nullable(),
});
export type DeliveryRow = RowOf<typeof deliveryRow>;

const COLUMNS = sql`d.id, d.event_id, d.type, d.state, d.attempts, d.next_attempt_at, d.last_status, d.last_error,
  d.created_at, d.finished_at`;

/** Lists deliveries of an endpoint, newest first. */
export async function listDeliveries(
  db: Executor,
  endpointId: string,
  page: { state?: DeliveryState | undefined; before?: string | undefined; limit: number },
): Promise<DeliveryRow[]> {
  return await deliveryRow.read(
    db.execute(sql`
      select ${COLUMNS} from webhook_deliveries d where d.holder_id = ${endpointId}
        and (${page.state ?? null}::text is null or d.state = ${page.state ?? null})
        and (${page.before ?? null}::text is null or d.id < ${page.before ?? null})
      order by d.id desc limit ${page.limit}`),
  );
}

const lastRow = defineRow({
  holder_id: text(),
  id: text(),
  type: text(),
  state: text<DeliveryState>(),
  last_status: integer().nullable(),
  last_error: text().nullable(),
  attempted_at: timestamptz().nullable(),
});
export type LastDeliveryRow = RowOf<typeof lastRow>;

/** The newest delivery of each endpoint that has one. */
export async function listLastDeliveries(
  db: Executor,
  endpointIds: readonly string[],
): Promise<LastDeliveryRow[]> {
  return await lastRow.read(
    db.execute(sql`
      select d.holder_id, d.id, d.type, d.state, d.last_status, d.last_error, a.created_at as attempted_at
      from unnest(${sql.param([...endpointIds])}::text[]) e(id)
        cross join lateral (select * from webhook_deliveries w where w.holder_id = e.id order by w.id desc limit 1) d
        left join lateral (select created_at from webhook_attempts t where t.delivery_id = d.id
          order by t.id desc limit 1) a on true`),
  );
}

const detailRow = defineRow({ payload: json<WebhookPayload>() });

export async function findDelivery(
  db: Executor,
  endpointId: string,
  id: string,
): Promise<(DeliveryRow & { payload: WebhookPayload }) | null> {
  const where = sql`from webhook_deliveries d where d.holder_id = ${endpointId} and d.id = ${id}`;
  const [row] = await deliveryRow.read(db.execute(sql`select ${COLUMNS} ${where}`));
  const [detail] = await detailRow.read(db.execute(sql`select d.payload ${where}`));
  return row && detail ? { ...row, ...detail } : null;
}

const attemptRow = defineRow({
  url: text(),
  request_headers: json<Record<string, string>>(),
  status: integer().nullable(),
  response_body: text().nullable(),
  error: text().nullable(),
  duration_ms: integer(),
  created_at: timestamptz(),
});
export type AttemptRow = RowOf<typeof attemptRow>;

/** Lists the attempts of a delivery, newest first. */
export async function listAttempts(db: Executor, deliveryId: string, limit: number): Promise<AttemptRow[]> {
  return await attemptRow.read(
    db.execute(sql`
      select url, request_headers, status, response_body, error, duration_ms, created_at from webhook_attempts
      where delivery_id = ${deliveryId} order by id desc limit ${limit}`),
  );
}
