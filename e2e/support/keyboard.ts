import { expect, type Locator, type Page } from 'playwright/test';

/** How many stops a page may have before the one that is looked for. */
const MOST_STOPS = 80;

/**
 * Opens a page of the dashboard and waits until its shortcuts are listened to: a press before is nobody's. They and the
 * page's line to the gateway begin in the same turn.
 */
export async function openListening(page: Page, path: string): Promise<void> {
  const line = page.waitForRequest(/\/api\/live\?/);
  await page.goto(path);
  await line;
}

/** Presses Tab until this has the focus, and sees at every stop where it is. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
    await expectVisibleFocus(page);
  }
  throw new Error(`Not reached by ${MOST_STOPS} times ${key}: ${target}`);
}

/** What has the focus is told apart: an outline or a ring on it or on what it lies in, and inside of the window. */
export async function expectVisibleFocus(page: Page): Promise<void> {
  const seen = await page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return 'nothing has the focus';
    const rect = element.getBoundingClientRect();
    const inside =
      rect.bottom > 0 && rect.right > 0 && rect.top < window.innerHeight && rect.left < window.innerWidth;
    if (!inside) return `${element.outerHTML.slice(0, 200)} is outside of the window`;
    // A radio button without looks of its own is outlined by its label; a field by its frame.
    for (let at: HTMLElement | null = element, up = 0; at && up < 3; at = at.parentElement, up++) {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
      if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) return 'seen';
      if (boxShadow !== 'none' && at.matches(':focus-visible, :has(:focus-visible)')) return 'seen';
    }
    return `no outline around ${element.outerHTML.slice(0, 200)}`;
  });
  expect(seen).toBe('seen');
}

/** Tab and Shift+Tab go round inside of it. */
export async function expectFocusKept(page: Page, dialog: Locator): Promise<void> {
  for (const key of [
    'Tab',
    'Tab',
    'Tab',
    'Tab',
    'Tab',
    'Tab',
    'Tab',
    'Tab',
    'Shift+Tab',
    'Shift+Tab',
  ] as const) {
    await page.keyboard.press(key);
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
}
