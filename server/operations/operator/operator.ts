import type { AuditActor } from '../../core/audit/audit';
import { operatorName } from '../../core/trpc/actor';
import type { OperatorContext } from '../../core/trpc/context';

/** An actor, as the audit log names them. */
export type OperatorAuditActor = AuditActor & { requestId: string };

/** The requesting operator, as the audit log names them. */
export function toActor({
  operator,
  requestId,
}: Pick<OperatorContext, 'operator' | 'requestId'>): OperatorAuditActor {
  return { name: operatorName(operator.email), requestId };
}

/** Converts a timestamp, which the driver returns as text. */
export function toIso(instant: string | Date): string {
  return new Date(instant).toISOString();
}

/** The same for a timestamp that may be null. */
export function toIsoOrNull(instant: string | Date | null): string | null {
  return instant === null ? null : toIso(instant);
}
