import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  resolve: { alias: { '@': root.replace(/\/$/, ''), 'server-only': `${root}server/testing/server-only.ts` } },
  test: {
    include: ['{server,db,app,components,scripts,clients}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/testing/global-setup.ts'],
    // For what hangs, not for what is slow: other work may have most of the machine.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    // Two processes take all files in turn: most of a file's time would go into importing the gateway anew. What a file
    // starts it stops, and what it does not wait for it catches: the next one would be blamed for it.
    isolate: false,
    // Who waits for a condition waits for it, not for a clock: only what never comes costs this long.
    expect: { poll: { timeout: 15_000 } },
  },
});
