import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { failureText } from '../../kit/failure-text';
import { requirePayments } from './place-order';
import { processEvent } from './receive-event';
import { findRecordedEvent, listFailedEvents } from './store';

type ReplayRuntime = Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>;

/** Maximum events of one replay. */
const MAX_AT_ONCE = 200;

/** The result of replaying an event; `error` is null on success. */
export interface Replayed {
  id: string;
  error: string | null;
}

/**
 * Replays a failed event. It fetches the current objects, so replaying an event that has been
 * processed since changes nothing.
 * @throws GatewayError NOT_FOUND, UNAVAILABLE if the gateway does not sell credit
 */
export async function replayEvent(runtime: ReplayRuntime, by: AuditActor, id: string): Promise<Replayed> {
  requirePayments(runtime);
  if (!(await findRecordedEvent(runtime.db, id)))
    throw new GatewayError('NOT_FOUND', {
      message: `Event ${id} is not stored, so it cannot be replayed.`,
      hint: 'The provider retries by itself; or resend the event from the webhooks page of the provider.',
    });
  await writeAudit(runtime.db, { actor: by, action: 'webhook.replay', target: id });
  return await retryEvent(runtime, id);
}

/** Replays the failed events in sequence, oldest first; those that fail again stay failed. */
export async function replayFailedEvents(runtime: ReplayRuntime, by: AuditActor): Promise<Replayed[]> {
  requirePayments(runtime);
  const ids = await listFailedEvents(runtime.db, MAX_AT_ONCE);
  await writeAudit(runtime.db, { actor: by, action: 'webhook.replay_all', details: { events: ids.length } });
  const results: Replayed[] = [];
  for (const id of ids) results.push(await retryEvent(runtime, id));
  return results;
}

async function retryEvent(runtime: ReplayRuntime, id: string): Promise<Replayed> {
  const event = await findRecordedEvent(runtime.db, id);
  try {
    if (event) await processEvent(runtime, requirePayments(runtime), event);
    return { id, error: null };
  } catch (error) {
    runtime.log.warn('payment_event.replay_failed', { eventId: id, error });
    return { id, error: failureText(error) };
  }
}
