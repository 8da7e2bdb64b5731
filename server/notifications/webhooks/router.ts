import { keyProcedure, MANAGER_ERRORS, managerProcedure, router } from '../../core/trpc/procedures';
import { createHolderSecret } from './holder-secret';
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  replayFailedDeliveries,
  replayWebhookDelivery,
  testWebhook,
} from './manage-deliveries';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
} from './manage-endpoints';
import {
  createWebhookInput,
  deletedWebhookSchema,
  deliveryIdInput,
  listDeliveriesInput,
  replayedSchema,
  replayInput,
  rotateSecretInput,
  updateWebhookInput,
  webhookActionInput,
  webhookDeliveryDetailSchema,
  webhookDeliveryListSchema,
  webhookDeliverySchema,
  webhookEndpointSchema,
  webhookIdInput,
  webhookListSchema,
  webhookSecretSchema,
  webhookWithSecretSchema,
} from './schema';

const READ_ERRORS = ['AUTH_REQUIRED', 'AUTH_FAILED', 'KEY_RESTRICTED'] as const;
const ENDPOINT_ERRORS = ['INVALID_INPUT', ...READ_ERRORS, 'NOT_FOUND'] as const;
const PATH = '/v1/webhooks';

/** The OpenAPI meta of one route. */
function route(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: `/${string}` | '',
  operationId: string,
  [summary, description]: readonly [string, string],
) {
  const full: `/${string}` = `${PATH}${path}`;
  return { method, path: full, operationId, tags: ['Webhooks'], summary, description, protect: true };
}

export const webhooksRouter = router({
  create: managerProcedure
    .meta({
      openapi: route('POST', '', 'createWebhook', [
        'Create a webhook endpoint',
        'Creates an endpoint that receives events of the account. The signing secret is returned only in this response.',
      ]),
      rest: {
        successStatus: 201,
        errors: MANAGER_ERRORS.filter((code) => code !== 'CLAIM_REQUIRED'),
      },
    })
    .input(createWebhookInput)
    .output(webhookWithSecretSchema)
    .mutation(({ ctx, input }) => createWebhook(ctx, input)),

  list: managerProcedure
    .meta({
      openapi: route('GET', '', 'listWebhooks', [
        'List webhook endpoints',
        'Lists the endpoints of the account, oldest first.',
      ]),
      rest: { errors: READ_ERRORS },
    })
    .output(webhookListSchema)
    .query(({ ctx }) => listWebhooks(ctx)),

  secret: keyProcedure
    .meta({
      openapi: route('GET', '/secret', 'getWebhookSecret', [
        'Get the secret of call webhooks',
        'Returns the secret that signs the webhooks of calls that this key makes with `webhook`. Every key has its own.',
      ]),
      rest: { errors: ['AUTH_REQUIRED', 'AUTH_FAILED'] },
    })
    .output(webhookSecretSchema)
    .query(async ({ ctx }) => ({
      secret: await createHolderSecret(ctx.runtime, ctx.actor.keyId),
      key_id: ctx.actor.keyId,
    })),

  get: managerProcedure
    .meta({
      openapi: route('GET', '/{id}', 'getWebhook', [
        'Get a webhook endpoint',
        'Returns one endpoint, without its secret.',
      ]),
      rest: { errors: ENDPOINT_ERRORS },
    })
    .input(webhookIdInput)
    .output(webhookEndpointSchema)
    .query(({ ctx, input }) => getWebhook(ctx, input.id)),

  update: managerProcedure
    .meta({
      openapi: route('PATCH', '/{id}', 'updateWebhook', [
        'Change a webhook endpoint',
        'Changes the fields that are sent. Disabling an endpoint ends its pending deliveries; enabling it again forgets its failures.',
      ]),
      rest: { errors: ENDPOINT_ERRORS },
    })
    .input(updateWebhookInput)
    .output(webhookEndpointSchema)
    .mutation(({ ctx, input }) => updateWebhook(ctx, input)),

  remove: managerProcedure
    .meta({
      openapi: route('DELETE', '/{id}', 'deleteWebhook', [
        'Delete a webhook endpoint',
        'Deletes an endpoint with its deliveries. Nothing more is sent to it.',
      ]),
      rest: { errors: ENDPOINT_ERRORS },
      whileFrozen: true,
    })
    .input(webhookIdInput)
    .output(deletedWebhookSchema)
    .mutation(({ ctx, input }) => deleteWebhook(ctx, input.id)),

  rotateSecret: managerProcedure
    .meta({
      openapi: route('POST', '/{id}/rotate-secret', 'rotateWebhookSecret', [
        'Rotate the secret of an endpoint',
        'Returns a new secret, only in this response. The previous one also signs for `overlap_hours`, 24 by default.',
      ]),
      rest: { errors: ENDPOINT_ERRORS },
    })
    .input(rotateSecretInput)
    .output(webhookWithSecretSchema)
    .mutation(({ ctx, input }) => rotateWebhookSecret(ctx, input)),

  test: managerProcedure
    .meta({
      openapi: route('POST', '/{id}/test', 'testWebhook', [
        'Send a test event',
        'Sends a `webhook.test` event to an endpoint, with replays at most 1,000 an hour, 60 before the account is claimed. Read the delivery for the outcome.',
      ]),
      rest: { errors: [...ENDPOINT_ERRORS, 'RATE_LIMIT_EXCEEDED'] },
    })
    .input(webhookActionInput)
    .output(webhookDeliverySchema)
    .mutation(({ ctx, input }) => testWebhook(ctx, input.id)),

  deliveries: managerProcedure
    .meta({
      openapi: route('GET', '/{id}/deliveries', 'listWebhookDeliveries', [
        'List the deliveries of an endpoint',
        'Lists deliveries, newest first. They are stored for 35 days.',
      ]),
      rest: { errors: ENDPOINT_ERRORS },
    })
    .input(listDeliveriesInput)
    .output(webhookDeliveryListSchema)
    .query(({ ctx, input }) => listWebhookDeliveries(ctx, input)),

  delivery: managerProcedure
    .meta({
      openapi: route('GET', '/{id}/deliveries/{delivery_id}', 'getWebhookDelivery', [
        'Get a delivery',
        'Returns one delivery with its payload and the request, response and timing of each attempt.',
      ]),
      rest: { errors: ENDPOINT_ERRORS },
    })
    .input(deliveryIdInput)
    .output(webhookDeliveryDetailSchema)
    .query(({ ctx, input }) => getWebhookDelivery(ctx, input.id, input.delivery_id)),

  replay: managerProcedure
    .meta({
      openapi: route('POST', '/{id}/deliveries/{delivery_id}/replay', 'replayWebhookDelivery', [
        'Replay a delivery',
        'Sends a delivery again, with the same `webhook-id` and all retries, at most ten times. Counts as a test event.',
      ]),
      rest: { errors: [...ENDPOINT_ERRORS, 'RATE_LIMIT_EXCEEDED'] },
    })
    .input(replayInput)
    .output(webhookDeliverySchema)
    .mutation(({ ctx, input }) => replayWebhookDelivery(ctx, input.id, input.delivery_id)),

  replayFailed: managerProcedure
    .meta({
      openapi: route('POST', '/{id}/replay-failed', 'replayFailedWebhooks', [
        'Replay all failed deliveries',
        'Sends the failed deliveries of an endpoint again, oldest first, at most 1,000 in an hour. Each counts as a test event; the answer says how many were sent.',
      ]),
      rest: { errors: [...ENDPOINT_ERRORS, 'RATE_LIMIT_EXCEEDED'] },
    })
    .input(webhookActionInput)
    .output(replayedSchema)
    .mutation(({ ctx, input }) => replayFailedDeliveries(ctx, input.id)),
});
