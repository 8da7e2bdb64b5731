import type { z } from 'zod';
import { writeAudit } from '../../../core/audit/audit';
import { invalidFields } from '../../../core/errors/field-errors';
import { GatewayError } from '../../../core/errors/gateway-error';
import type { Runtime } from '../../../core/runtime';
import { newId } from '../../../kit/ids';
import type { OperatorAuditActor } from '../operator';
import { describeIncident, forgetStatus } from './get-status';
import { MAX_UPDATES, SHOWN_INCIDENTS } from './limits';
import type { Incident, postIncidentInput, updateIncidentInput } from './schema';
import { findIncident, insertIncident, listIncidents, saveUpdates } from './status-store';

/** Posts an incident on the status page. @returns its id */
export async function postIncident(
  runtime: Pick<Runtime, 'db'>,
  by: OperatorAuditActor,
  { title, impact, message }: z.infer<typeof postIncidentInput>,
): Promise<{ id: string }> {
  const id = newId('incident');
  await runtime.db.transaction(async (tx) => {
    const at = new Date().toISOString();
    const updates = [{ at, state: 'investigating' as const, message }];
    await insertIncident(tx, { id, title, impact, updates, createdBy: by.name });
    await writeAudit(tx, { actor: by, action: 'incident.post', target: id, details: { title, impact } });
  });
  forgetStatus(runtime);
  return { id };
}

/**
 * Adds an update to an open incident; `resolved` closes it.
 * @throws GatewayError NOT_FOUND; INVALID_INPUT for a closed one
 */
export async function updateIncident(
  runtime: Pick<Runtime, 'db'>,
  by: OperatorAuditActor,
  { incident_id: id, state, message }: z.infer<typeof updateIncidentInput>,
): Promise<{ changed: boolean }> {
  await runtime.db.transaction(async (tx) => {
    const incident = await findIncident(tx, id);
    if (!incident) throw new GatewayError('NOT_FOUND', { message: 'No incident has this id.' });
    if (incident.resolvedAt)
      throw invalidFields([{ path: 'incident_id', message: 'The incident is resolved. Post another one.' }]);
    if (incident.updates.length >= MAX_UPDATES && state !== 'resolved')
      throw invalidFields([
        { path: 'state', message: `An incident has at most ${MAX_UPDATES} updates. Resolve it.` },
      ]);
    const now = new Date();
    const updates = [...incident.updates, { at: now.toISOString(), state, message }];
    await saveUpdates(tx, id, updates, state === 'resolved' ? now : null);
    const action = state === 'resolved' ? 'incident.resolve' : 'incident.update';
    await writeAudit(tx, { actor: by, action, target: id, details: { state } });
  });
  forgetStatus(runtime);
  return { changed: true };
}

export async function getIncidents({ db }: Pick<Runtime, 'db'>): Promise<{ incidents: Incident[] }> {
  return { incidents: (await listIncidents(db, SHOWN_INCIDENTS)).map(describeIncident) };
}
