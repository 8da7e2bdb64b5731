import { z } from 'zod';
import { queryInteger } from '../../kit/query-integer';
import { strictInput } from '../../kit/strict-input';
import { EVENT_TYPES } from '../../platform/webhooks/limits';
import { DEFAULT_OVERLAP_HOURS, MAX_DESCRIPTION_LENGTH, MAX_OVERLAP_HOURS, MAX_URL_LENGTH } from './limits';

const eventTypeSchema = z.enum(EVENT_TYPES);

export const webhookUrlSchema = z
  .string()
  .min(1)
  .max(MAX_URL_LENGTH)
  .describe('An https URL on the public internet that accepts POST.');

const eventsSchema = z
  .array(eventTypeSchema)
  .min(1, 'Must have at least one event type.')
  .max(EVENT_TYPES.length)
  .describe('The event types to send.');
const descriptionSchema = z
  .string()
  .trim()
  .max(MAX_DESCRIPTION_LENGTH)
  .describe('A note for yourself, shown in lists.');

const lastDeliverySchema = z
  .looseObject({
    id: z.string(),
    type: z.string(),
    state: z.enum(['pending', 'delivered', 'failed']),
    status: z.int().nullable().describe('Of the last response; null if there was none.'),
    error: z.string().nullable().describe('Why the last attempt failed.'),
    attempted_at: z.iso.datetime().nullable().describe('The time of the last attempt; null before it.'),
  })
  .meta({ id: 'WebhookLastDelivery' });

export const webhookEndpointSchema = z
  .looseObject({
    id: z.string(),
    url: z.string(),
    description: z.string().nullable(),
    events: z.array(z.string()),
    status: z.enum(['enabled', 'disabled']),
    disabled_reason: z
      .enum(['manual', 'failing', 'gone'])
      .nullable()
      .describe('`failing`: every attempt failed for five days; `gone`: it answered 410.'),
    disabled_at: z.iso.datetime().nullable(),
    failing_since: z.iso.datetime().nullable().describe('The first failure without a success since.'),
    previous_secret_expires_at: z.iso
      .datetime()
      .nullable()
      .describe('Until then, the secret before the last rotation also signs.'),
    last_delivery: lastDeliverySchema.nullable().describe('The newest delivery; null before the first.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'WebhookEndpoint' });

export const webhookWithSecretSchema = webhookEndpointSchema
  .extend({ secret: z.string().describe('The signing secret, returned only in this response.') })
  .meta({ id: 'WebhookEndpointWithSecret' });

export const webhookListSchema = z
  .looseObject({ webhooks: z.array(webhookEndpointSchema) })
  .meta({ id: 'WebhookEndpointList' });

export const webhookSecretSchema = z
  .looseObject({
    secret: z.string().describe('The secret that signs the webhooks of the calls of this key.'),
    key_id: z.string(),
  })
  .meta({ id: 'WebhookSecret' });

const webhookAttemptSchema = z
  .looseObject({
    at: z.iso.datetime(),
    url: z.string(),
    request_headers: z.record(z.string(), z.string()).describe('Without the signature.'),
    status: z.int().nullable().describe('Null if there was no response.'),
    response_body: z.string().nullable().describe('Its first 2 KiB.'),
    error: z.string().nullable(),
    duration_ms: z.int(),
  })
  .meta({ id: 'WebhookAttempt' });

export const webhookDeliverySchema = z
  .looseObject({
    id: z.string(),
    event_id: z.string().describe('The `webhook-id` header of every attempt.'),
    type: z.string(),
    state: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.int().describe('Since the delivery was created or replayed.'),
    next_attempt_at: z.iso.datetime().nullable(),
    last_status: z.int().nullable(),
    last_error: z.string().nullable(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const webhookDeliveryDetailSchema = webhookDeliverySchema
  .extend({
    payload: z.record(z.string(), z.unknown()).describe('The body that is sent.'),
    log: z.array(webhookAttemptSchema).describe('All attempts, newest first, at most 100.'),
  })
  .meta({ id: 'WebhookDeliveryDetail' });

export const webhookDeliveryListSchema = z
  .looseObject({ deliveries: z.array(webhookDeliverySchema), next_cursor: z.string().nullable() })
  .meta({ id: 'WebhookDeliveryList' });

export const createWebhookInput = strictInput({
  url: webhookUrlSchema,
  events: eventsSchema,
  description: descriptionSchema.optional(),
}).meta({
  id: 'CreateWebhookRequest',
  example: { url: 'https://example.com/hooks', events: ['job.completed', 'job.failed'] },
});

const idSchema = z.string().min(1).max(64).describe('The id of the endpoint.');
const deliveryIdSchema = z.string().min(1).max(64).describe('The id of the delivery.');

export const webhookIdInput = z.object({ id: idSchema });
/** For routes with POST and no body fields. */
export const webhookActionInput = strictInput({ id: idSchema }, ['id']);

export const updateWebhookInput = strictInput(
  {
    id: idSchema,
    url: webhookUrlSchema.optional(),
    events: eventsSchema.optional(),
    description: descriptionSchema.optional(),
    enabled: z.boolean().optional().describe('False disables the endpoint; true enables it again.'),
  },
  ['id'],
).meta({ id: 'UpdateWebhookRequest', example: { enabled: true } });

export const rotateSecretInput = strictInput(
  {
    id: idSchema,
    overlap_hours: z
      .int()
      .min(0)
      .max(MAX_OVERLAP_HOURS)
      .optional()
      .describe(
        `How long the previous secret also signs: ${DEFAULT_OVERLAP_HOURS} by default, 0 if it is compromised.`,
      ),
  },
  ['id'],
).meta({ id: 'RotateWebhookSecretRequest', example: { overlap_hours: 24 } });

export const listDeliveriesInput = z.object({
  id: idSchema,
  state: z.enum(['pending', 'delivered', 'failed']).describe('Only deliveries in this state.').optional(),
  limit: queryInteger({ min: 1, max: 100, fallback: 50, about: 'At most this many.' }),
  cursor: z.string().min(1).max(200).describe('next_cursor from the previous page.').optional(),
});

export const deliveryIdInput = z.object({ id: idSchema, delivery_id: deliveryIdSchema });
export const replayInput = strictInput({ id: idSchema, delivery_id: deliveryIdSchema }, [
  'id',
  'delivery_id',
]);

export const replayedSchema = z
  .looseObject({ replayed: z.int().describe('How many failed deliveries are sent again.') })
  .meta({ id: 'ReplayedDeliveries' });

export const deletedWebhookSchema = z
  .looseObject({ success: z.literal(true), id: z.string() })
  .meta({ id: 'DeletedWebhook' });

export type WebhookEndpoint = z.infer<typeof webhookEndpointSchema>;
export type WebhookWithSecret = z.infer<typeof webhookWithSecretSchema>;
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;
export type WebhookDeliveryDetail = z.infer<typeof webhookDeliveryDetailSchema>;
export type WebhookDeliveryList = z.infer<typeof webhookDeliveryListSchema>;
export type WebhookAttempt = z.infer<typeof webhookAttemptSchema>;
