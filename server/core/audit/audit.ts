import type { Executor } from '@/db/client';
import { auditEvents } from '@/db/schema/audit';
import { newId } from '../../kit/ids';

/** Who did it, with the request it came by and the reason that was given, where there are such. */
export interface AuditActor {
  name: string;
  requestId?: string | undefined;
  reason?: string | undefined;
}

/** One line of the audit log, written in the transaction of the act it tells of. */
export interface AuditEvent {
  /** `user:…`, `key:…`, `operator:…`. */
  actor: string | AuditActor;
  action: string;
  accountId?: string;
  target?: string;
  details?: Record<string, string | number | boolean | null>;
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
