import type { Executor } from '@/db/client';
import { auditEvents } from '@/db/schema/audit';
import { newId } from '../../kit/ids';

/** The actor, with the id of the request and the stated reason, if any. */
export interface AuditActor {
  name: string;
  requestId?: string | undefined;
  reason?: string | undefined;
}

/** One entry of the audit log, written in the transaction of the action it records. */
export interface AuditEvent {
  /** `user:…`, `key:…`, `operator:…`. */
  actor: string | AuditActor;
  action: string;
  accountId?: string;
  target?: string;
  details?: Record<string, string | number | boolean | null | undefined>;
}

export async function writeAudit(tx: Executor, event: AuditEvent): Promise<void> {
  const { name, requestId, reason }: AuditActor =
    typeof event.actor === 'string' ? { name: event.actor } : event.actor;
  await tx.insert(auditEvents).values({
    id: newId('audit'),
    actor: name,
    action: event.action,
    accountId: event.accountId ?? null,
    target: event.target ?? null,
    details: { ...event.details, ...(reason !== undefined && { reason }) },
    requestId: requestId ?? null,
  });
}
