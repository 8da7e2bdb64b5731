import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type AxeBuilder from '@axe-core/playwright';
import type { Page, PageScreenshotOptions } from 'playwright/test';
import { expect } from './fixtures';

const WIDE = { name: 'wide', width: 1280, height: 800 };
const PHONE = { name: 'phone', width: 390, height: 844 };
const SCHEMES = ['light', 'dark'] as const;
type Scheme = (typeof SCHEMES)[number];
/** What a scheme can break: everything else is the same document, and was looked at in light. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** Refused whatever axe thinks of their weight; some of them are off unless they are asked for. */
const STRICT_RULES = [
  'target-size',
  'label-content-name-mismatch',
  'landmark-unique',
  'landmark-no-duplicate-banner',
  'landmark-no-duplicate-contentinfo',
  'landmark-no-duplicate-main',
];

/**
 * The axe of @axe-core/playwright, which sends 1.3 MB of it to the page twice for every look: here
 * it goes once a page.
 */
const AXE = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve(
    'axe-core/axe.min.js',
  ),
  'utf8',
);
type AxeResults = Awaited<ReturnType<AxeBuilder['analyze']>>;

/** A page, or a state of one, that people see. */
export interface Shown {
  name: string;
  path: string;
  /** What is done on the page before it is examined. */
  prepare?: (page: Page) => Promise<void>;
  /** Of a page that repeats itself: the part that all rules examine; the strict ones examine the page. */
  part?: string;
}

/**
 * Whether pictures are kept, for people to look at: `PICTURES=1 npx playwright test`. No test
 * judges one.
 */
const PICTURES = process.env.PICTURES === '1';

/**
 * Looks for what keeps people out, in both schemes and sizes; keeps a picture of each where they
 * are wanted.
 */
export async function lookAt(page: Page, { name, path, prepare, part }: Shown): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize(WIDE);
  await page.goto(path);
  await prepare?.(page);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  // Axe looks into no frames here: there are none to look into.
  expect(page.frames(), `frames of ${path}`).toHaveLength(1);
  await page.evaluate(AXE);
  await page.evaluate(stopTransitions);
  // The page follows both while it is open: loading it four times would show the same, four times
  // as slowly.
  for (const size of [WIDE, PHONE])
    for (const scheme of SCHEMES) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await lookOnce(page, { scheme, part, where: `${name}-${scheme}-${size.name}` });
    }
}

/** Where pictures are wanted; under test-results/screenshots. */
export async function keepPicture(page: Page, name: string, options?: PageScreenshotOptions): Promise<void> {
  if (PICTURES) await page.screenshot({ path: `test-results/screenshots/${name}.png`, ...options });
}

/**
 * In the page: a new scheme is there at once; a transition of what is inherited would set off those
 * of all that inherit it.
 */
function stopTransitions() {
  const still = new CSSStyleSheet();
  still.replaceSync('*, *::before, *::after { transition: none !important }');
  document.adoptedStyleSheets.push(still);
}

/** In the page: at its top, drawn as it is to stay. */
async function comeToRest() {
  window.scrollTo(0, 0);
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  for (const animation of document.getAnimations())
    if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
}

interface Look {
  scheme: Scheme;
  part?: string;
  where: string;
}

async function lookOnce(page: Page, { scheme, part, where }: Look): Promise<void> {
  // What is fixed would lie in the middle of a long picture.
  await page.evaluate(comeToRest);
  await keepPicture(page, where, { fullPage: true, animations: 'disabled' });
  const { violations, sideways } = await page.evaluate(runAxe, {
    only: scheme === 'dark' ? COLOUR_RULES : null,
    strict: STRICT_RULES,
    part: part ?? null,
  });
  const bad = violations.filter(
    ({ id, impact }) => impact === 'serious' || impact === 'critical' || STRICT_RULES.includes(id),
  );
  const told = bad.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`),
  );
  expect.soft(told, where).toEqual([]);
  expect.soft(sideways, `${where}: pixels to the right of the window`).toBeLessThanOrEqual(0);
}

interface AxeRun {
  /** Null for all rules, the strict ones too. */
  only: string[] | null;
  strict: string[];
  /** Null for the page. */
  part: string | null;
}

/** In the page. */
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
