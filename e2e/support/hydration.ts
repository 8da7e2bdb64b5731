import type { Page } from 'playwright/test';

/**
 * Has `goto` and `reload` wait until React has taken the page over: what is typed or pressed before
 * is lost, on a fast machine as on a slow one.
 */
export function waitForHydration(page: Page): Page {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  const settle = async <T>(response: T): Promise<T> => {
    await page.waitForFunction(isHydrated);
    return response;
  };
  page.goto = async (...options) => settle(await goto(...options));
  page.reload = async (...options) => settle(await reload(...options));
  return page;
}

/** In the page: React has its properties on every control. True where the page is not React's. */
function isHydrated(): boolean {
  if (!document.querySelector('script[src*="/_next/"]')) return true;
  const controls = [...document.querySelectorAll('button, input, select, textarea')];
  return controls.every((control) => Object.keys(control).some((key) => key.startsWith('__reactProps$')));
}
