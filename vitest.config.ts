import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('.', import.meta.url));
const resolve = {
  alias: { '@': root.replace(/\/$/, ''), 'server-only': `${root}test/support/server-only.ts` },
};

const SOURCES = '{server,db,app,components,fakes,scripts,clients,test}/**/*';
const SYSTEM = 'test/system/**/*.test.ts';
const ACCEPTANCE = 'test/system/acceptance.test.ts';
/** Runs for a requested duration; only `npm run soak` starts it. */
const SOAK = 'test/system/soak.test.ts';
/** Downloads other versions of Node; only `npm run test:versions` starts it. */
const VERSIONS = 'test/system/node-versions.test.ts';

/** Limits for tests that hang; slow ones may share the machine with other work. */
const LIMIT_MS = 120_000;
const DEEP_LIMIT_MS = 300_000;
const SYSTEM_LIMIT_MS = 600_000;

/** Messages with whole values: of a rare failure elsewhere, the message is all there is. */
const chaiConfig = { truncateThreshold: 4_000 };

const inProcess = {
  chaiConfig,
  globalSetup: ['test/support/global-setup.ts'],
  setupFiles: ['test/support/reset-process.ts'],
  testTimeout: LIMIT_MS,
  hookTimeout: LIMIT_MS,
  pool: 'forks' as const,
  // More than the two cores, because tests mostly wait. More than three workers slow each other
  // down: each one imports the gateway.
  maxWorkers: 3,
  slowTestThreshold: 5_000,
  // Processes are reused: importing the gateway takes most of a file's time. A test file must stop
  // what it starts and catch errors of promises that it does not await.
  isolate: false,
  // Tests wait for a condition; only one that never occurs takes this long.
  expect: { poll: { timeout: 15_000 } },
};

/** For tests of whole processes of the production build: run `npm run build` first. */
const wholeProcesses = {
  chaiConfig,
  testTimeout: SYSTEM_LIMIT_MS,
  // Hooks start gateways and wait for restarts, each of them with a limit of its own.
  hookTimeout: SYSTEM_LIMIT_MS,
  pool: 'forks' as const,
  maxWorkers: 2,
  expect: { poll: { timeout: 15_000 } },
};

/** One project per part of the suites; `npm test` and `npm run test:deep` select them. */
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
        test: {
          ...inProcess,
          name: 'deep',
          include: [`${SOURCES}.deep.test.{ts,tsx}`],
          testTimeout: DEEP_LIMIT_MS,
          hookTimeout: DEEP_LIMIT_MS,
        },
      },
      { resolve, test: { ...wholeProcesses, name: 'acceptance', include: [ACCEPTANCE] } },
      {
        resolve,
        test: {
          ...wholeProcesses,
          name: 'system',
          include: [SYSTEM],
          exclude: ['**/node_modules/**', ACCEPTANCE, SOAK, VERSIONS],
        },
      },
      { resolve, test: { ...wholeProcesses, name: 'soak', include: [SOAK] } },
      { resolve, test: { ...wholeProcesses, name: 'versions', include: [VERSIONS] } },
    ],
  },
});
