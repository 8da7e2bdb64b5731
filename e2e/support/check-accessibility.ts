import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type AxeBuilder from '@axe-core/playwright';
import type { Page, PageScreenshotOptions } from 'playwright/test';
import { expect } from './fixtures';

const WIDE = { name: 'wide', width: 1280, height: 800 };
const PHONE = { name: 'phone', width: 390, height: 844 };
const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];
/** The rules that depend on the colour scheme: the rest of the document was checked in light. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Violations fail the test whatever impact axe assigns; some of these rules are off by default. */
const STRICT_RULES = [
  'target-size',
  'label-content-name-mismatch',
  'landmark-unique',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
];

/**
 * The axe script of @axe-core/playwright, which would send its 1.3 MB twice per check: here it is
 * sent once per page.
 */
const AXE = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve(
    'axe-core/axe.min.js',
  ),
  'utf8',
);
type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>;

/** A page, or a state of one, to check. */
export interface CheckedPage {
  name: string;
  path: string;
  /** Actions on the page before the check. */
  prepare?: (page: Page) => Promise<void>;
  /**
   * For a page with repetitive content: the part checked by all rules. The strict rules check the
   * full page.
   */
  part?: string;
}

/**
 * Whether to save screenshots for review: `PICTURES=1 npx playwright test`. No test compares them.
 */
const SAVE_SCREENSHOTS = process.env.PICTURES === '1';

/** Checks accessibility in both schemes and sizes; saves a screenshot of each if enabled. */
export async function checkAccessibility(
  page: Page,
  { name, path, prepare, part }: CheckedPage,
): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize(WIDE);
  await page.goto(path);
  await prepare?.(page);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  // Axe is injected into the top frame only, so there must be no others.
  expect(page.frames(), `frames of ${path}`).toHaveLength(1);
  await page.evaluate(AXE);
  await page.evaluate(stopTransitions);
  // The open page adapts to scheme and size. Loading it four times would show the same, more
  // slowly.
  for (const size of [WIDE, PHONE])
    for (const scheme of SCHEMES) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await checkVariant(page, { scheme, part, where: `${name}-${scheme}-${size.name}` });
    }
}

/** Saves a screenshot if enabled, in test-results/screenshots. */
export async function saveScreenshot(
  page: Page,
  name: string,
  options?: PageScreenshotOptions,
): Promise<void> {
  if (SAVE_SCREENSHOTS) await page.screenshot({ path: `test-results/screenshots/${name}.png`, ...options });
}

/**
 * Runs in the page. Disables transitions: a transition of an inherited property would trigger those
 * of all descendants.
 */
function stopTransitions() {
  const still = new CSSStyleSheet();
  still.replaceSync('*, *::before, *::after { transition: none !important }');
  document.adoptedStyleSheets.push(still);
}

/** Runs in the page: scrolls to the top, loads lazy images and finishes all animations. */
async function finishAnimations() {
  window.scrollTo(0, 0);
  for (const image of document.images) {
    if (image.offsetParent === null || image.complete) continue;
    image.loading = 'eager';
    await image.decode().catch(() => {});
  }
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  for (const animation of document.getAnimations())
    if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
}

interface VariantCheck {
  scheme: Scheme;
  part?: string | undefined;
  where: string;
}

async function checkVariant(page: Page, { scheme, part, where }: VariantCheck): Promise<void> {
  // Fixed elements would appear in the middle of a full-page screenshot.
  await page.evaluate(finishAnimations);
  await saveScreenshot(page, where, { fullPage: true, animations: 'disabled' });
  const { violations, sideways } = await page.evaluate(runAxe, {
    only: scheme === 'dark' ? COLOUR_RULES : null,
    strict: STRICT_RULES,
    part: part ?? null,
  });
  const bad = violations.filter(
    ({ id, impact }) => impact === 'serious' || impact === 'critical' || STRICT_RULES.includes(id),
  );
  const messages = bad.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
  );
  expect.soft(messages, where).toEqual([]);
  expect.soft(sideways, `${where}: pixels to the right of the window`).toBeLessThanOrEqual(0);
}

interface AxeRun {
  /** Null for all rules, including the strict ones. */
  only: string[] | null;
  strict: string[];
  /** Null for the full page. */
  part: string | null;
}

/** Runs in the page. */
async function runAxe({ only, strict, part }: AxeRun) {
  const { axe } = window as unknown as {
    axe: { run(context: string | Document, options: object): Promise<AxeResults> };
  };
  const { scrollWidth, clientWidth } = document.documentElement;
  const run = async (context: string | Document, options: object) =>
    (await axe.run(context, { resultTypes: ['violations'], ...options })).violations;
  const these = (values: string[]) => ({ runOnly: { type: 'rule', values } });
  const all = { rules: Object.fromEntries(strict.map((rule) => [rule, { enabled: true }])) };
  const violations = await run(part ?? document, only ? these(only) : all);
  if (part && !only) violations.push(...(await run(document, these(strict))));
  return { violations, sideways: scrollWidth - clientWidth };
}
