import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));
const resolve = {
  alias: { '@': root.replace(/\/$/, ''), 'server-only': `${root}server/testing/server-only.ts` },
};

const SOURCES = '{server,db,app,components,scripts,clients,test}/**/*';
const SYSTEM = 'test/system/**/*.test.ts';
const ACCEPTANCE = 'test/system/acceptance.test.ts';
/** Runs for as long as it is asked to: only `npm run soak` starts it. */
const SOAK = 'test/system/soak.test.ts';

/** Limits for what hangs, not for what is slow: other work may have most of the machine. */
const LIMIT_MS = 120_000;
const SYSTEM_LIMIT_MS = 600_000;

const inProcess = {
  globalSetup: ['server/testing/global-setup.ts'],
  setupFiles: ['server/testing/reset-process.ts'],
  testTimeout: LIMIT_MS,
  hookTimeout: LIMIT_MS,
  pool: 'forks' as const,
  // More than the two cores: tests mostly wait for processes, timers and the database. Each worker
  // imports the gateway for itself, and more than three of them slow each other down.
  maxWorkers: 3,
  slowTestThreshold: 5_000,
  // These processes take all files in turn: most of a file's time would go into importing the gateway
  // again. A file stops what it starts, and catches what it does not wait for.
  isolate: false,
  // A test waits for a condition, not for a clock: only what never comes costs this long.
  expect: { poll: { timeout: 15_000 } },
};

/** Whole processes of the production build: `npm run build` comes first. */
const wholeProcesses = {
  testTimeout: SYSTEM_LIMIT_MS,
  hookTimeout: LIMIT_MS,
  pool: 'forks' as const,
  maxWorkers: 2,
  expect: { poll: { timeout: 15_000 } },
};

/** One project for each part of a suite: `npm test` and `npm run test:deep` say which. */
export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        test: {
          ...inProcess,
          name: 'unit',
          include: [`${SOURCES}.test.{ts,tsx}`],
          exclude: ['**/node_modules/**', `${SOURCES}.deep.test.{ts,tsx}`, SYSTEM],
        },
      },
      {
        resolve,
        test: { ...inProcess, name: 'deep', include: [`${SOURCES}.deep.test.{ts,tsx}`] },
      },
      { resolve, test: { ...wholeProcesses, name: 'acceptance', include: [ACCEPTANCE] } },
      {
        resolve,
        test: {
          ...wholeProcesses,
          name: 'system',
          include: [SYSTEM],
          exclude: ['**/node_modules/**', ACCEPTANCE, SOAK],
        },
      },
      { resolve, test: { ...wholeProcesses, name: 'soak', include: [SOAK] } },
    ],
  },
});
