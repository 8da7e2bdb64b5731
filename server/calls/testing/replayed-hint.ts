import { REPLAYED_HINT } from '../../core/idempotency/replay-response';

/** Removes what the hint of a replayed failure adds to that of the first response. */
export function withoutReplayedHint<T>(body: T): T {
  return JSON.parse(JSON.stringify(body).replaceAll(`${REPLAYED_HINT.rest} `, ''));
}
