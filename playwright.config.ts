import { defineConfig } from 'playwright/test';
import { findBrowser } from './e2e/support/browser';

/** Browser tests of the production build. `npm test` builds it; `npx playwright test` does not. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results/e2e',
  globalSetup: './e2e/support/start-gateways.ts',
  // Each worker has its own gateway, database and inbox, so tests need no order.
  workers: 2,
  fullyParallel: true,
  // scripts/test.mjs runs failed files once more, alone.
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  // For a slow machine. Actions have a limit of their own.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/playwright.json' }]],
  use: {
    launchOptions: findBrowser(),
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    timezoneId: 'UTC',
    screenshot: 'only-on-failure',
    // Tracing every test takes a quarter of the CPU time; use `--trace on` for a single one.
    trace: 'off',
    actionTimeout: 15_000,
  },
});
