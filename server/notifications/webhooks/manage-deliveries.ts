import type { z } from 'zod';
import type { Executor } from '@/db/client';
import { GatewayError } from '../../core/errors/gateway-error';
import { policy, rateHeaders } from '../../core/limits/rate-headers';
import { takeFromWindow, takeMoreFromWindow } from '../../core/limits/store';
import type { AccountContext } from '../../core/trpc/context';
import { decodeCursor, toPage } from '../../core/trpc/cursor';
import {
  type DeliveryRow,
  findDelivery,
  insertTestEvent,
  listAttempts,
  listDeliveries,
  MAX_REPLAYS,
  replayDeliveries,
} from './delivery-log-store';
import type { WebhookPayload } from './delivery-store';
import { describeAttempt, describeDelivery } from './describe-webhook';
import { endpointNotFound } from './manage-endpoints';
import { renderPayload } from './render-payload';
import type {
  listDeliveriesInput,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryList,
} from './schema';
import { type EndpointRecord, findEndpoint } from './store';

const MAX_LOG = 100;
/** One request replays at most this many; repeat it for the rest. */
const MAX_REPLAYED = 1_000;
/** Tests and replays of an account, which reach any address at the sender's will. */
const RESENDS = { scope: 'webhook-resends', seconds: 3_600 } as const;
const RESENDS_AN_HOUR = { claimed: 1_000, unclaimed: 60 };

type Managing = Pick<AccountContext, 'runtime' | 'actor'>;

/**
 * Lists deliveries of an endpoint, newest first, by page.
 * @throws GatewayError NOT_FOUND, INVALID_INPUT for an invalid cursor
 */
export async function listWebhookDeliveries(
  context: Managing,
  { id, state, limit, cursor }: z.infer<typeof listDeliveriesInput>,
): Promise<WebhookDeliveryList> {
  await requireEndpoint(context, id);
  const before = decodeCursor(cursor, 'delivery');
  const rows = await listDeliveries(context.runtime.db, id, { state, before, limit: limit + 1 });
  const { page, next_cursor } = toPage(rows, limit);
  return { deliveries: page.map(describeDelivery), next_cursor };
}

/** @throws GatewayError NOT_FOUND */
export async function getWebhookDelivery(
  context: Managing,
  endpointId: string,
  deliveryId: string,
): Promise<WebhookDeliveryDetail> {
  const { runtime } = context;
  await requireEndpoint(context, endpointId);
  const found = await requireDelivery(context, endpointId, deliveryId);
  const log = await listAttempts(runtime.db, deliveryId, MAX_LOG);
  const payload = renderPayload(found.payload, runtime.settings.baseUrl);
  return { ...describeDelivery(found), payload: { ...payload }, log: log.map(describeAttempt) };
}

/**
 * Sends a test event to an endpoint, through the queue like every other.
 * @throws GatewayError NOT_FOUND, INVALID_INPUT if it is disabled, RATE_LIMIT_EXCEEDED
 */
export async function testWebhook(context: Managing, id: string): Promise<WebhookDelivery> {
  const { runtime, actor } = context;
  requireEnabled(await requireEndpoint(context, id));
  await takeResend(runtime.db, actor);
  const deliveryId = await insertTestEvent(runtime.db, { accountId: actor.accountId, endpointId: id });
  return describeDelivery(await requireDelivery(context, id, deliveryId));
}

/**
 * Sends a delivery again, with the same `webhook-id`.
 * @throws GatewayError NOT_FOUND, INVALID_INPUT if the endpoint is disabled or after MAX_REPLAYS,
 *   RATE_LIMIT_EXCEEDED
 */
export async function replayWebhookDelivery(
  context: Managing,
  endpointId: string,
  deliveryId: string,
): Promise<WebhookDelivery> {
  requireEnabled(await requireEndpoint(context, endpointId));
  await requireDelivery(context, endpointId, deliveryId);
  const replayed = await context.runtime.db.transaction(async (tx) => {
    await takeResend(tx, context.actor);
    return await replayDeliveries(tx, endpointId, { id: deliveryId });
  });
  if (replayed === 0) throw replayedTooOften();
  return describeDelivery(await requireDelivery(context, endpointId, deliveryId));
}

/**
 * Sends the failed deliveries of an endpoint again, oldest first: as many as the account has left
 * in this hour, MAX_REPLAYED at most.
 * @throws GatewayError NOT_FOUND, INVALID_INPUT if the endpoint is disabled, RATE_LIMIT_EXCEEDED
 */
export async function replayFailedDeliveries(context: Managing, id: string): Promise<{ replayed: number }> {
  requireEnabled(await requireEndpoint(context, id));
  const { actor } = context;
  return await context.runtime.db.transaction(async (tx) => {
    const left = await takeResend(tx, actor);
    const replayed = await replayDeliveries(tx, id, { failedUpTo: Math.min(MAX_REPLAYED, left + 1) });
    await takeMoreFromWindow(tx, { ...RESENDS, subject: actor.accountId, units: replayed - 1 });
    return { replayed };
  });
}

async function requireEndpoint({ runtime, actor }: Managing, id: string): Promise<EndpointRecord> {
  const found = await findEndpoint(runtime.db, actor.accountId, id);
  if (!found) throw endpointNotFound();
  return found;
}

async function requireDelivery(
  { runtime }: Managing,
  endpointId: string,
  deliveryId: string,
): Promise<DeliveryRow & { payload: WebhookPayload }> {
  const found = await findDelivery(runtime.db, endpointId, deliveryId);
  if (found) return found;
  throw new GatewayError('NOT_FOUND', {
    message: 'This endpoint has no delivery with this id.',
    hint: 'List the deliveries with GET /v1/webhooks/{id}/deliveries; they are stored for 35 days.',
  });
}

function requireEnabled({ disabledAt }: EndpointRecord): void {
  if (disabledAt)
    throw new GatewayError('INVALID_INPUT', {
      message: 'id: This endpoint is disabled, so nothing is sent to it.',
      hint: 'Enable it first: PATCH /v1/webhooks/{id} with {"enabled": true}.',
      details: { fields: [{ path: 'id', message: 'This endpoint is disabled, so nothing is sent to it.' }] },
    });
}

/** Takes one test or replay of this hour. @returns how many are left */
async function takeResend(tx: Executor, { accountId, accountType }: Managing['actor']): Promise<number> {
  const { scope, seconds } = RESENDS;
  const quota = RESENDS_AN_HOUR[accountType === 'provisional' ? 'unclaimed' : 'claimed'];
  const window = { scope, subject: accountId, quota, seconds };
  const { taken, used, resetSeconds } = await takeFromWindow(tx, window);
  if (taken) return quota - used;
  throw new GatewayError('RATE_LIMIT_EXCEEDED', {
    message: `This account has sent ${quota} test events and replays within an hour, the maximum.`,
    details: { limit: scope, retry_after: resetSeconds },
    headers: rateHeaders([policy(scope, quota, seconds, used, resetSeconds)]),
  });
}

function replayedTooOften(): GatewayError {
  const message = `This delivery was replayed ${MAX_REPLAYS} times, the maximum.`;
  return new GatewayError('INVALID_INPUT', {
    message: `delivery_id: ${message}`,
    hint: 'Read its log for why the endpoint refuses it: GET /v1/webhooks/{id}/deliveries/{delivery_id}.',
    details: { fields: [{ path: 'delivery_id', message }] },
  });
}
