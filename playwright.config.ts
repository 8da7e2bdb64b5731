import { defineConfig } from 'playwright/test';
import { findBrowser } from './e2e/support/browser';

/** Browser tests against the production build: `npm test` builds first; alone, `npx playwright test` needs a build. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results/e2e',
  globalSetup: './e2e/support/start-gateways.ts',
  // Each worker has a gateway, a database and an inbox of its own, so tests need no order.
  workers: 2,
  fullyParallel: true,
  // A test that only passes the second time has found something.
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // A busy machine is slow, not wrong; what hangs is ended by the limit of its own action, not by this.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  use: {
    launchOptions: findBrowser(),
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'UTC',
    screenshot: 'only-on-failure',
    // Recording all tests to keep those that fail takes a quarter of the CPU time: `--trace on` for one.
    trace: 'off',
    actionTimeout: 15_000,
  },
});
