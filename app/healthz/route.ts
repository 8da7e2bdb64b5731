export const dynamic = 'force-dynamic';

/** Small on purpose: the start asks it to wake Next, before the front answers this path itself. */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } });
}
