import { findBrowser, prepareBrowser } from '@/e2e/support/browser';
import { createPageBrowser, type PageBrowser } from '@/server/platform/ports/browser';
import type { OutboundFetch } from '@/server/platform/ports/outbound-fetch';
import { OutboundGuard } from '@/server/platform/ports/outbound-guard';
import type { BrowserProgram } from '@/server/platform/ports/packaged-chromium';
import type { CallBrowser } from '@/server/tools/sdk/skill-context';

/** Returns the program and environment of the browser, or why there is none. */
export function prepareTestBrowser(): BrowserProgram | { missing: string } {
  try {
    prepareBrowser();
    const { executablePath, env } = findBrowser();
    const { LD_LIBRARY_PATH, FONTCONFIG_FILE } = env;
    return {
      program: executablePath,
      env: {
        ...(LD_LIBRARY_PATH ? { LD_LIBRARY_PATH } : {}),
        ...(FONTCONFIG_FILE ? { FONTCONFIG_FILE } : {}),
      },
    };
  } catch (error) {
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

/** Starts a real browser; the caller closes it. @throws when this machine has none */
export function createTestBrowser(
  guard: OutboundGuard,
  pageLimitMs?: number,
  limits: { maxBytes?: number; settleMs?: number } = {},
): PageBrowser {
  const found = prepareTestBrowser();
  if ('missing' in found) throw new Error(found.missing);
  const limit = pageLimitMs === undefined ? {} : { pageLimitMs };
  return createPageBrowser({ guard, findProgram: async () => found, ...limit, ...limits });
}

/**
 * Creates the browser for examples; it renders what `fetch` returns. Without a browser on this
 * machine, rendering fails.
 */
export function createExampleBrowser(fetch: OutboundFetch): CallBrowser & { close(): void } {
  const found = prepareTestBrowser();
  const program = 'missing' in found ? null : found;
  const browser = createPageBrowser({ guard: new OutboundGuard(), findProgram: async () => program });
  return { ...createFetchingBrowser(browser, fetch), close: () => browser.close() };
}

/** Renders URLs from the responses of `fetch`, for examples on sites that do not exist. */
function createFetchingBrowser(browser: PageBrowser, fetch: OutboundFetch): CallBrowser {
  return {
    async render({ url, ...request }, signal) {
      if (url === undefined) return await browser.render(request, signal);
      const response = await fetch(url);
      const page = await browser.render({ ...request, html: await response.text() }, signal);
      return { ...page, url, status: response.status };
    },
  };
}
