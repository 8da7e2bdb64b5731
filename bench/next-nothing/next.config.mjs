import { fileURLToPath } from 'node:url';

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // It uses the gateway's packages.
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
};

export default config;
