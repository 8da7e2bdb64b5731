import type { Page } from 'playwright/test';

/**
 * Makes `goto` and `reload` wait for hydration: earlier input would be lost, on fast and slow
 * machines alike.
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

/** For a page opened by a form or link: waits until it has loaded and hydrated. */
export async function untilHydrated(page: Page): Promise<void> {
  await page.waitForLoadState();
  await page.waitForFunction(isHydrated);
}

/**
 * Delays the scripts of pages opened from now on, as a slow connection does.
 * @returns a function that lets them load
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

/** Runs in the page: React sets properties on every control. True for pages without React. */
function isHydrated(): boolean {
  if (!document.querySelector('script[src*="/_next/"]')) return true;
  const controls = [...document.querySelectorAll('button, input, select, textarea')];
  return controls.every((control) => Object.keys(control).some((key) => key.startsWith('__reactProps$')));
}
