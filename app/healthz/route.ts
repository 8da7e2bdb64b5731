import { jsonResponse, toFetchResponse } from '@/server/core/http/responses';

export const dynamic = 'force-dynamic';

/**
 * Kept minimal: the start script calls it to warm up Next before the front serves this path itself.
 */
export function GET(): Response {
  return toFetchResponse(jsonResponse(200, { status: 'ok' }));
}
