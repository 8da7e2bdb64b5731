import { type SQL, sql } from 'drizzle-orm';
import { toCallId } from '../core/http/call-request-id';

/** Whether the call `u` was made by a request; each alternative has an index. */
export function isOfRequest(requestId: string): SQL {
  const stored = sql`u.request_id = ${requestId} and u.request_id <> ''`;
  const callId = toCallId(requestId);
  return callId === null ? sql`(${stored})` : sql`(u.id = ${callId} and u.request_id = '' or ${stored})`;
}
