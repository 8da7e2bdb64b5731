import { ID_PREFIXES, type Id } from '../../kit/ids';

/** Stored with a call whose id has the random part of its request's id. */
const SAME_AS_CALL = '';
const REQUEST = `${ID_PREFIXES.request}_`;
const CALL = `${ID_PREFIXES.call}_`;

/** The id of the first call of a request with a generated id: `call_x` for `req_x`. */
export function toCallId(requestId: string): Id<'call'> | null {
  return requestId.startsWith(REQUEST) ? `call_${requestId.slice(REQUEST.length)}` : null;
}

/**
 * The request id as stored with a call: empty if it follows from the id of the call, as that of
 * most calls. Then it needs no index entry (docs/decisions/0067).
 */
export function toStoredRequestId(requestId: string, callId: string): string {
  return toCallId(requestId) === callId ? SAME_AS_CALL : requestId;
}

/** The request id of a call as stored; null if it is unknown. */
export function readStoredRequestId(stored: string | null, callId: string): string | null {
  return stored === SAME_AS_CALL ? REQUEST + callId.slice(CALL.length) : stored;
}
