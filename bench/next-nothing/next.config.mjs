import { fileURLToPath } from 'node:url';

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // The packages are the gateway's own.
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
};

export default config;
