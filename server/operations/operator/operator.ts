import type { AuditActor } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
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

/**
 * Checks a cursor, which is the id of the previous page's last row.
 * @throws GatewayError INVALID_INPUT for an invalid cursor
 */
export function parseCursor(cursor: string | undefined, pattern = /^[A-Za-z0-9_:-]{1,200}$/): string | null {
  if (cursor === undefined) return null;
  if (pattern.test(cursor)) return cursor;
  const message = 'Use next_cursor from the previous page.';
  throw new GatewayError('INVALID_INPUT', {
    message: `cursor: ${message}`,
    details: { fields: [{ path: 'cursor', message }] },
  });
}

/** Splits a query result of one row more than a page into the page and the next cursor. Pure. */
export function toPage<Row>(
  rows: readonly Row[],
  size: number,
  getId: (row: Row) => string,
): { shown: Row[]; next: string | null } {
  const shown = rows.slice(0, size);
  const last = shown.at(-1);
  return { shown, next: last && rows.length > size ? getId(last) : null };
}

/** Converts a timestamp, which the driver returns as text. */
export function toIso(instant: string | Date): string {
  return new Date(instant).toISOString();
}

/** The same for a timestamp that may be null. */
export function toIsoOrNull(instant: string | Date | null): string | null {
  return instant === null ? null : toIso(instant);
}
