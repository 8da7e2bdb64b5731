import { type AuditActor, writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { failureText } from '../../kit/failure-text';
import { paymentsOf } from './place-order';
import { workOnEvent } from './receive-event';
import { findNotedEvent, listFailedEvents } from './store';

/** Of one press of the button. */
const MAX_AT_ONCE = 200;

/** What came of working on an event again. */
export interface Replayed {
  id: string;
  error: string | null;
}

/**
 * Works again on an event that failed. It fetches the objects as they are now: one that was worked on meanwhile changes
 * nothing.
 * @throws GatewayError NOT_FOUND, UNAVAILABLE where no credit is sold
 */
export async function replayEvent(runtime: Runtime, by: AuditActor, id: string): Promise<Replayed> {
  paymentsOf(runtime);
  if (!(await findNotedEvent(runtime.db, id)))
    throw new GatewayError('NOT_FOUND', {
      message: `Nothing is kept of ${id} that it could be worked on with.`,
      hint: 'The provider sends it again by itself, or on its own page of webhooks.',
    });
  await writeAudit(runtime.db, { actor: by, action: 'webhook.replay', target: id });
  return await workAgain(runtime, id);
}

/** Works again on those that failed, oldest first, one after the other; what fails again stays. */
export async function replayFailedEvents(runtime: Runtime, by: AuditActor): Promise<Replayed[]> {
  paymentsOf(runtime);
  const ids = await listFailedEvents(runtime.db, MAX_AT_ONCE);
  await writeAudit(runtime.db, { actor: by, action: 'webhook.replay_all', details: { events: ids.length } });
  const results: Replayed[] = [];
  for (const id of ids) results.push(await workAgain(runtime, id));
  return results;
}

async function workAgain(runtime: Runtime, id: string): Promise<Replayed> {
  const event = await findNotedEvent(runtime.db, id);
  try {
    if (event) await workOnEvent(runtime, paymentsOf(runtime), event);
    return { id, error: null };
  } catch (error) {
    runtime.log.warn('a payment event failed again', { eventId: id, error });
    return { id, error: failureText(error) };
  }
}
