import type { z } from 'zod';
import type { Executor } from '@/db/client';
import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import { type Actor, actorName } from '../../core/trpc/actor';
import type { AccountContext } from '../../core/trpc/context';
import { newId } from '../../kit/ids';
import { checkWebhookUrl } from './check-url';
import { listLastDeliveries } from './delivery-log-store';
import { describeEndpoint } from './describe-webhook';
import { DEFAULT_OVERLAP_HOURS, MAX_ENDPOINTS } from './limits';
import type {
  createWebhookInput,
  rotateSecretInput,
  updateWebhookInput,
  WebhookEndpoint,
  WebhookWithSecret,
} from './schema';
import {
  countEndpoints,
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  findEndpoint,
  insertEndpoint,
  insertSecret,
  listEndpoints,
  lockEndpoint,
  lockEndpoints,
  replaceSecret,
  updateEndpoint,
} from './store';
import { createSecret, sealSecret } from './webhook-secret';

/** An unclaimed account can wait for its claim, and for its jobs. */
const MAX_PROVISIONAL_ENDPOINTS = 2;

type Managing = Pick<AccountContext, 'runtime' | 'actor'>;

export async function listWebhooks({ runtime, actor }: Managing): Promise<{ webhooks: WebhookEndpoint[] }> {
  const { db } = runtime;
  const endpoints = await listEndpoints(db, actor.accountId);
  const last = await listLastDeliveries(
    db,
    endpoints.map(({ id }) => id),
  );
  const lastById = new Map(last.map((delivery) => [delivery.holder_id, delivery]));
  return { webhooks: endpoints.map((endpoint) => describeEndpoint(endpoint, lastById.get(endpoint.id))) };
}

/** @throws GatewayError NOT_FOUND */
export async function getWebhook({ runtime, actor }: Managing, id: string): Promise<WebhookEndpoint> {
  return await describeFound(runtime.db, actor, id);
}

/**
 * Creates an endpoint with a secret, which is returned only here.
 * @throws GatewayError INVALID_INPUT for a URL that is not public, FORBIDDEN at MAX_ENDPOINTS
 */
export async function createWebhook(
  { runtime, actor }: Managing,
  input: z.infer<typeof createWebhookInput>,
): Promise<WebhookWithSecret> {
  const { accountId } = actor;
  const url = checkWebhookUrl(runtime, input.url);
  const id = newId('webhook');
  const secret = createSecret();
  const endpoint = await runtime.db.transaction(async (tx) => {
    await lockEndpoints(tx, accountId);
    const limit = actor.accountType === 'provisional' ? MAX_PROVISIONAL_ENDPOINTS : MAX_ENDPOINTS;
    if ((await countEndpoints(tx, accountId)) >= limit) throw tooManyEndpoints(limit);
    const events = [...new Set(input.events)];
    await insertEndpoint(tx, { id, accountId, url, events, description: input.description || null });
    await insertSecret(tx, id, sealSecret(runtime.ports.vault, id, secret));
    await audit(tx, actor, 'webhook.create', id);
    return await describeFound(tx, actor, id);
  });
  return { ...endpoint, secret };
}

/**
 * Changes the fields that are given. Disabling ends pending deliveries; enabling forgets failures.
 * @throws GatewayError NOT_FOUND, INVALID_INPUT
 */
export async function updateWebhook(
  { runtime, actor }: Managing,
  { id, enabled, ...input }: z.infer<typeof updateWebhookInput>,
): Promise<WebhookEndpoint> {
  const url = input.url === undefined ? {} : { url: checkWebhookUrl(runtime, input.url) };
  const events = input.events === undefined ? {} : { events: [...new Set(input.events)] };
  const description = input.description === undefined ? {} : { description: input.description || null };
  return await runtime.db.transaction(async (tx) => {
    await requireEndpoint(tx, actor, id);
    await updateEndpoint(tx, id, { ...url, ...events, ...description });
    if (enabled === true) await enableEndpoint(tx, id);
    if (enabled === false) await disableEndpoint(tx, id, 'manual');
    await audit(tx, actor, 'webhook.update', id);
    return await describeFound(tx, actor, id);
  });
}

/**
 * Deletes an endpoint with its deliveries.
 * @throws GatewayError NOT_FOUND
 */
export async function deleteWebhook(
  { runtime, actor }: Managing,
  id: string,
): Promise<{ success: true; id: string }> {
  await runtime.db.transaction(async (tx) => {
    await requireEndpoint(tx, actor, id);
    await deleteEndpoint(tx, id);
    await audit(tx, actor, 'webhook.delete', id);
  });
  return { success: true, id };
}

/**
 * Replaces the secret of an endpoint; the previous one also signs for some hours.
 * @throws GatewayError NOT_FOUND
 */
export async function rotateWebhookSecret(
  { runtime, actor }: Managing,
  { id, overlap_hours: overlapHours = DEFAULT_OVERLAP_HOURS }: z.infer<typeof rotateSecretInput>,
): Promise<WebhookWithSecret> {
  const secret = createSecret();
  const endpoint = await runtime.db.transaction(async (tx) => {
    await requireEndpoint(tx, actor, id);
    await replaceSecret(tx, id, sealSecret(runtime.ports.vault, id, secret), overlapHours);
    await audit(tx, actor, 'webhook.rotate_secret', id);
    return await describeFound(tx, actor, id);
  });
  return { ...endpoint, secret };
}

async function requireEndpoint(tx: Executor, { accountId }: Actor, id: string): Promise<void> {
  if (!(await lockEndpoint(tx, accountId, id))) throw endpointNotFound();
}

async function describeFound(db: Executor, { accountId }: Actor, id: string): Promise<WebhookEndpoint> {
  const found = await findEndpoint(db, accountId, id);
  if (!found) throw endpointNotFound();
  const [last] = await listLastDeliveries(db, [id]);
  return describeEndpoint(found, last);
}

async function audit(tx: Executor, actor: Actor, action: string, target: string): Promise<void> {
  await writeAudit(tx, { actor: actorName(actor), action, accountId: actor.accountId, target });
}

export function endpointNotFound(): GatewayError {
  return new GatewayError('NOT_FOUND', {
    message: 'This account has no webhook endpoint with this id.',
    hint: 'List the endpoints with GET /v1/webhooks.',
  });
}

function tooManyEndpoints(limit: number): GatewayError {
  return new GatewayError('FORBIDDEN', {
    message: `This account can have at most ${limit} webhook endpoints.`,
    hint: 'Delete an endpoint that you no longer use, or send more event types to one of them.',
  });
}
