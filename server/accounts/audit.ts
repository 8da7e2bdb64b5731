import type { Executor } from '@/db/client';
import { auditEvents } from '@/db/schema/audit';
import { newId } from '../ids';

/** One line of the audit log, written in the transaction of the act it tells of. */
export interface AuditEvent {
  /** `user:…`, `key:…`, `operator:…`. */
  actor: string;
  action: string;
  accountId?: string;
  target?: string;
  details?: Record<string, string | number | boolean | null>;
}

export async function writeAudit(tx: Executor, event: AuditEvent): Promise<void> {
  await tx.insert(auditEvents).values({
    id: newId('audit'),
    actor: event.actor,
    action: event.action,
    accountId: event.accountId ?? null,
    target: event.target ?? null,
    details: event.details ?? {},
  });
}
