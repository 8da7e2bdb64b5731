import { getRuntime } from '@/server/core/runtime';
import { DEFAULT_LOGO } from '@/server/platform/brand/default-logo';

export const dynamic = 'force-dynamic';

/** The logo of pages. An SVG opened by itself must not run its scripts. */
export function GET(): Response {
  const { bytes, type } = getRuntime().settings.brand.logo ?? DEFAULT_LOGO;
  return new Response(new Uint8Array(bytes), {
    headers: {
      'Content-Type': type,
      'Cache-Control': 'public, max-age=3600',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'X-Content-Type-Options': 'nosniff',
    },
  });
}
