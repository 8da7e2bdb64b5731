export const dynamic = 'force-dynamic';

/**
 * Kept minimal: the start script calls it to warm up Next before the front serves this path itself.
 */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } });
}
