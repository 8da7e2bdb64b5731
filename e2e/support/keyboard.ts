import { expect, type Locator, type Page } from 'playwright/test';

/** Maximum number of focus stops before the target. */
const MOST_STOPS = 80;

/**
 * Opens a dashboard page and waits until its shortcuts are active: earlier key presses are lost.
 * The shortcuts and the live connection start in the same tick.
 */
export async function openWithShortcuts(page: Page, path: string): Promise<void> {
  const line = page.waitForRequest(/\/api\/live\?/);
  await page.goto(path);
  await line;
}

/** Presses Tab until the target has the focus, and checks for a visible focus at every stop. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await expect(target).toBeVisible();
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
    await expectVisibleFocus(page);
  }
  throw new Error(`Not reached after pressing ${key} ${MOST_STOPS} times: ${target}`);
}

/**
 * Asserts that the focused element or a parent has an outline or a ring, and is inside the window.
 */
export async function expectVisibleFocus(page: Page): Promise<void> {
  const seen = await page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return 'nothing has the focus';
    const rect = element.getBoundingClientRect();
    const inside =
      rect.bottom > 0 && rect.right > 0 && rect.top < window.innerHeight && rect.left < window.innerWidth;
    if (!inside) return `${element.outerHTML.slice(0, 200)} is outside of the window`;
    // A hidden radio button is outlined by its label; a field by its frame.
    for (let at: HTMLElement | null = element, up = 0; at && up < 3; at = at.parentElement, up++) {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at);
      if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) return 'seen';
      if (boxShadow !== 'none' && at.matches(':focus-visible, :has(:focus-visible)')) return 'seen';
    }
    return `no outline around ${element.outerHTML.slice(0, 200)}`;
  });
  expect(seen).toBe('seen');
}

/** Asserts that Tab and Shift+Tab stay inside the dialog. */
export async function expectFocusTrapped(page: Page, dialog: Locator): Promise<void> {
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
