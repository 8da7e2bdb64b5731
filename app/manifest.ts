import type { MetadataRoute } from 'next';
import { getRuntime } from '@/server/core/runtime';

/** The brand is a setting of the running gateway. */
export const dynamic = 'force-dynamic';

export default function manifest(): MetadataRoute.Manifest {
  const { name, logo } = getRuntime().settings.brand;
  return {
    name,
    short_name: name,
    description: 'One API key for many tools, paid per use from prepaid credit.',
    start_url: '/dashboard',
    display: 'standalone',
    background_color: '#f9fafb',
    theme_color: '#f9fafb',
    icons: [
      logo
        ? { src: `/brand/logo?v=${logo.version}`, sizes: 'any', type: logo.type }
        : { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml' },
    ],
  };
}
