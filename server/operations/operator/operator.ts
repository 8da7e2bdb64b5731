import type { AuditActor } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import { operatorName } from '../../core/trpc/actor';
import type { OperatorContext } from '../../core/trpc/context';

/** Who acts, as the audit log names them. */
export type By = AuditActor & { requestId: string };

/** The operator who asks, as the audit log names them. */
export function actorOf({ operator, requestId }: Pick<OperatorContext, 'operator' | 'requestId'>): By {
  return { name: operatorName(operator.email), requestId };
}

/**
 * The place that a page goes on from: the id of its last row.
 * @throws GatewayError INVALID_INPUT for one that is none of ours
 */
export function readCursor(cursor: string | undefined, pattern = /^[A-Za-z0-9_:-]{1,200}$/): string | null {
  if (cursor === undefined) return null;
  if (pattern.test(cursor)) return cursor;
  const message = 'Use next_cursor of the page before.';
  throw new GatewayError('INVALID_INPUT', {
    message: `cursor: ${message}`,
    details: { fields: [{ path: 'cursor', message }] },
  });
}

/** The rows of a page, of one more than it has, and where the next begins. Pure. */
export function pageOf<Row>(
  rows: readonly Row[],
  size: number,
  idOf: (row: Row) => string,
): { shown: Row[]; next: string | null } {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return { shown, next: last && rows.length > size ? idOf(last) : null };
}

/** The driver gives instants as text. */
export function isoOf(instant: string | Date): string {
  return new Date(instant).toISOString();
}

/** The same where there may be none. */
export function isoOrNull(instant: string | Date | null): string | null {
  return instant === null ? null : isoOf(instant);
}
