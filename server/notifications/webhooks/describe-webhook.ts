import type { AttemptRow, DeliveryRow, LastDeliveryRow } from './delivery-log-store';
import type { WebhookAttempt, WebhookDelivery, WebhookEndpoint } from './schema';
import type { EndpointRecord } from './store';

export function describeEndpoint(row: EndpointRecord, last: LastDeliveryRow | undefined): WebhookEndpoint {
  const previous = row.previousExpiresAt;
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: row.events,
    status: row.disabledAt ? 'disabled' : 'enabled',
    disabled_reason: row.disabledReason,
    disabled_at: row.disabledAt?.toISOString() ?? null,
    failing_since: row.failingSince?.toISOString() ?? null,
    previous_secret_expires_at: previous && previous > new Date() ? previous.toISOString() : null,
    last_delivery: last ? describeLast(last) : null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

function describeLast(row: LastDeliveryRow): WebhookEndpoint['last_delivery'] {
  return {
    id: row.id,
    type: row.type,
    state: row.state,
    status: row.last_status,
    error: row.last_error,
    attempted_at: toIso(row.attempted_at),
  };
}

const toIso = (at: string | null) => (at === null ? null : new Date(at).toISOString());

export function describeDelivery(row: DeliveryRow): WebhookDelivery {
  return {
    id: row.id,
    event_id: row.event_id,
    type: row.type,
    state: row.state,
    attempts: row.attempts,
    next_attempt_at: toIso(row.next_attempt_at),
    last_status: row.last_status,
    last_error: row.last_error,
    created_at: new Date(row.created_at).toISOString(),
    finished_at: toIso(row.finished_at),
  };
}

export function describeAttempt(row: AttemptRow): WebhookAttempt {
  return {
    at: new Date(row.created_at).toISOString(),
    url: row.url,
    request_headers: row.request_headers,
    status: row.status,
    response_body: row.response_body,
    error: row.error,
    duration_ms: row.duration_ms,
  };
}
