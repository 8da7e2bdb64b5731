import { writeAudit } from '../../core/audit/audit';
import type { Runtime } from '../../core/runtime';
import { enqueueEmail } from '../../platform/email/enqueue-email';
import {
  insertAttempt,
  type LeasedDelivery,
  type LeaseLimits,
  leaseDelivery,
  leaseNextDelivery,
  lockEndpointOf,
  markDelivered,
  markFailed,
  noteFailure,
  releaseDelivery,
  requeueNext,
} from './delivery-store';
import { createHolderSecret } from './holder-secret';
import { getRetryDelay } from './retry-schedule';
import { type SentWebhook, sendWebhook } from './send-webhook';
import { disableEndpoint } from './store';
import { secretContext } from './webhook-secret';

/** Longer than an attempt: afterwards its process has died, and another one sends it again. */
const LEASE_SECONDS = 60;
/**
 * Receivers that hang, or accounts that cost nothing, must not take all places of a process
 * (WEBHOOK_CONCURRENCY) from the others.
 */
const LIMITS: LeaseLimits = {
  seconds: LEASE_SECONDS,
  most: {
    regular: { perHolder: 2, perAccount: 4, inClass: null },
    failing: { perHolder: 1, perAccount: 2, inClass: 6 },
    unclaimed: { perHolder: 1, perAccount: 1, inClass: 4 },
  },
};
/** After so many, or a failure, the deliveries of other receivers come first. */
const MAX_IN_TURN = 20;
/** As after so long: a receiver that answers late, or whose body dribbles, is slow, not failing. */
const MAX_TURN_MS = 5_000;
/** An endpoint that has only failed for so long is disabled. */
const FAILING_DAYS = 5;
const GONE = 410;

type DeliveryRuntime = Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'>;

/**
 * Sends a delivery, then others that are due for the same receiver. Every process may do so at
 * once; each delivery is leased by one. At least once: if the process dies, it is sent again.
 * @param stopping ends the request when the process stops; another process sends it again
 */
export async function deliverWebhook(
  runtime: DeliveryRuntime,
  deliveryId: string,
  stopping?: AbortSignal,
  turnMs = MAX_TURN_MS,
): Promise<void> {
  const { db } = runtime;
  const endsAt = performance.now() + turnMs;
  let delivery = await leaseDelivery(db, deliveryId, LIMITS);
  if (!delivery) return;
  const { holder_id: holderId } = delivery;
  for (let sent = 1; delivery; sent++) {
    const delivered = await attempt(runtime, delivery, stopping);
    if (!delivered || sent === MAX_IN_TURN || performance.now() >= endsAt)
      return await requeueNext(db, holderId);
    delivery = await leaseNextDelivery(db, holderId, LIMITS);
  }
}

/** @returns whether it was delivered */
async function attempt(
  runtime: DeliveryRuntime,
  delivery: LeasedDelivery,
  stopping: AbortSignal | undefined,
): Promise<boolean> {
  const { db, observer } = runtime;
  const { url } = delivery;
  if (delivery.is_disabled || url === null) {
    const error = 'The endpoint is disabled.';
    await markFailed(db, delivery.id, { status: null, error, retrySeconds: null });
    return false;
  }
  const secrets = await openSecrets(runtime, delivery).catch((error: unknown) => {
    runtime.log.error('webhook.secret_unreadable', { deliveryId: delivery.id, error });
    return null;
  });
  // Retried as any failure: the operator may add the missing vault key.
  if (secrets === null) {
    const retrySeconds = getRetryDelay(delivery.attempts + 1, null);
    const error = 'The gateway could not read the signing secret.';
    await markFailed(db, delivery.id, { status: null, error, retrySeconds });
    return false;
  }
  const sent = await sendWebhook(runtime, { ...delivery, url }, secrets, stopping);
  if (!sent) {
    await releaseDelivery(db, delivery.id);
    return false;
  }
  observer.metrics.webhooks.inc({ outcome: sent.delivered ? 'delivered' : 'failed' });
  await record(runtime, delivery, sent);
  return sent.delivered;
}

/** The current secret, and the previous one during a rotation. */
async function openSecrets(runtime: DeliveryRuntime, delivery: LeasedDelivery): Promise<string[]> {
  const { vault } = runtime.ports;
  const { holder_id: holderId, sealed, previous_sealed: previous } = delivery;
  if (sealed === null) return [await createHolderSecret(runtime, holderId)];
  return [sealed, ...(previous === null ? [] : [previous])].map((value) =>
    vault.open(value, secretContext(holderId)),
  );
}

async function record(runtime: DeliveryRuntime, delivery: LeasedDelivery, sent: SentWebhook): Promise<void> {
  const { attempt, delivered, retryAfter } = sent;
  const { status, error } = attempt;
  await runtime.db.transaction(async (tx) => {
    await lockEndpointOf(tx, delivery);
    await insertAttempt(tx, delivery.id, attempt);
    if (delivered && status !== null) return await markDelivered(tx, delivery, status);
    const retrySeconds = status === GONE ? null : getRetryDelay(delivery.attempts + 1, retryAfter);
    await markFailed(tx, delivery.id, { status, error, retrySeconds });
    if (!delivery.is_endpoint) return;
    const isOverdue = await noteFailure(tx, delivery.holder_id, FAILING_DAYS);
    if (status !== GONE && !isOverdue) return;
    const reason = status === GONE ? 'gone' : 'failing';
    if (!(await disableEndpoint(tx, delivery.holder_id, reason))) return;
    const { account_id: accountId, holder_id: endpointId } = delivery;
    await writeAudit(tx, {
      actor: 'system:webhooks',
      action: 'webhook.disabled',
      accountId,
      target: endpointId,
      details: { reason },
    });
    await enqueueEmail(tx, { kind: 'webhook_disabled', accountId, ref: endpointId });
  });
}
