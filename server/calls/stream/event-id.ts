import { GatewayError } from '../../core/errors/gateway-error';

/**
 * The ids of a stream's events (contract section 12). An id says what the client has, in terms of
 * what is stored with the job, so any process can continue after it:
 * - `<seq>` or `<seq>.<progress>`: the log lines up to seq, and the progress in thousandths. `0` is
 *   `started`
 * - `limits`: also rate_limit
 * - `end`: everything
 */
export type Position =
  | { stage: 'before' }
  | { stage: 'progress'; seq: number; progress: number | null }
  | { stage: 'limits' }
  | { stage: 'end' };

export const BEFORE: Position = { stage: 'before' };
export const LIMITS_ID = 'limits';
export const END_ID = 'end';

/** RunLog reports progress in steps of 1/1000. */
const PROGRESS_STEPS = 1000;
const PROGRESS_ID = /^(\d{1,9})(?:\.(\d{1,4}))?$/;

export function formatProgressId(seq: number, progress: number | null): string {
  return progress === null ? String(seq) : `${seq}.${Math.round(progress * PROGRESS_STEPS)}`;
}

/** @throws GatewayError INVALID_INPUT if no event has this id */
export function parseEventId(id: string | undefined): Position {
  if (id === undefined || id === '') return BEFORE;
  if (id === LIMITS_ID) return { stage: 'limits' };
  if (id === END_ID) return { stage: 'end' };
  const [, seq, steps] = PROGRESS_ID.exec(id) ?? [];
  if (seq === undefined) throw invalidId();
  const progress = steps === undefined ? null : Number(steps) / PROGRESS_STEPS;
  return { stage: 'progress', seq: Number(seq), progress };
}

function invalidId(): GatewayError {
  const message = 'Must be the id of an event of this stream. Leave it out to start at the first event.';
  return new GatewayError('INVALID_INPUT', {
    message: `last_event_id: ${message}`,
    details: { fields: [{ path: 'last_event_id', message }] },
  });
}
