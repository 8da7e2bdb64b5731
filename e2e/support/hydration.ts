import type { Page } from 'playwright/test';

/**
 * Has `goto` and `reload` wait until React has taken the page over: what is typed or pressed before
 * is lost, on a fast machine as on a slow one.
 */
export function waitForHydration(page: Page): Page {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  const settle = async <T>(response: T): Promise<T> => {
    await untilHydrated(page);
    return response;
  };
  page.goto = async (...options) => settle(await goto(...options));
  page.reload = async (...options) => settle(await reload(...options));
  return page;
}

/** For a page that a form or a link opened: waits until it has loaded and React has taken it over. */
export async function untilHydrated(page: Page): Promise<void> {
  await page.waitForLoadState();
  await page.waitForFunction(isHydrated);
}

/**
 * Holds up the scripts of the pages opened from now on, as a slow line does.
 * @returns lets them load
 */
export async function holdScripts(page: Page): Promise<() => void> {
  let load = () => {};
  const loading = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route('**/_next/static/**/*.js', async (route) => {
    await loading;
    await route.continue();
  });
  return load;
}

/** In the page: React has its properties on every control. True where the page is not React's. */
function isHydrated(): boolean {
  if (!document.querySelector('script[src*="/_next/"]')) return true;
  const controls = [...document.querySelectorAll('button, input, select, textarea')];
  return controls.every((control) => Object.keys(control).some((key) => key.startsWith('__reactProps$')));
}
