import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright/test';
import { checkAccessibility } from './support/check-accessibility';
import {
  baseUrl,
  createPerson,
  expect,
  followLink,
  requestSignInLink,
  signIn,
  test,
} from './support/fixtures';

const PATH = '/dashboard/playground';
const run = promisify(execFile);

/** The path of a skill with an input, as in example links. */
function buildSkillPath(tool: string, skill: string, input?: object): string {
  const query = new URLSearchParams({ tool, skill });
  if (input) query.set('input', Buffer.from(JSON.stringify(input)).toString('base64url'));
  return `${PATH}?${query}`;
}

const runButton = (page: Page): Locator => page.getByRole('button', { name: 'Run', exact: true });
const output = (page: Page): Locator => page.getByRole('region', { name: 'Output' });

/** Presses Run and waits for the call to succeed. */
async function runWell(page: Page): Promise<void> {
  await runButton(page).click();
  await expect(page.getByText('Succeeded').first()).toBeVisible();
}

test('a free skill runs from a tool’s page after signing in', async ({ page }) => {
  const { email } = await createPerson('play-free', 0);
  await page.goto('/tools/math');
  const link = page.getByRole('link', { name: /^Try it in the playground: / }).nth(1);
  const target = (await link.getAttribute('href')) ?? '';
  await link.click();
  await requestSignInLink(page, email);
  await followLink(page, email);
  // Back at the same example: its input is in the form and no longer in the URL.
  await expect(page).toHaveURL(`${baseUrl()}${target.replace(/&input=.*/, '')}`);
  await expect(page.getByLabel(/^expression/)).not.toHaveValue('');
  await expect(page.getByRole('status', { name: 'Price of this call' })).toHaveText('Free');
  await runWell(page);
  await expect(output(page)).toContainText('result');
});

test('a paid skill shows its price before, the balance after, and the call in the history', {
  tag: '@journey',
}, async ({ page }) => {
  const { email } = await createPerson('play-paid', 1);
  await signIn(page, email);
  await page.goto(buildSkillPath('diagnostics', 'spend'));
  await page.getByLabel(/^amount_usd/).fill('0.25');
  const price = page.getByRole('status', { name: 'Price of this call' });
  await expect(price).toContainText('Up to $0.25 of $1.00');
  await runWell(page);
  await expect(page.getByText('Credit left').locator('..')).toContainText('$0.75');
  await expect(page.getByRole('link', { name: /^call_/ })).toHaveAttribute(
    'href',
    /\/dashboard\/usage\?call=call_/,
  );
  await expect(page.getByRole('button', { name: 'Accounts: Personal' })).toContainText('$0.75');
});

test('a skill that exceeds the balance shows a warning before the run and an error after it, with a link to buy credit', async ({
  page,
}) => {
  const { email } = await createPerson('play-dear', 1);
  await signIn(page, email);
  await page.goto(buildSkillPath('diagnostics', 'spend'));
  await page.getByLabel(/^amount_usd/).fill('0.25');
  const price = page.getByRole('status', { name: 'Price of this call' });
  await expect(price).toContainText('Up to $0.25 of $1.00');
  await runWell(page);
  await page.getByLabel(/^amount_usd/).fill('0.9');
  await expect(page.getByText('Not enough credit')).toBeVisible();
  await runButton(page).click();
  await expect(page.getByText('INSUFFICIENT_CREDITS')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Buy credit' }).first()).toHaveAttribute(
    'href',
    '/dashboard/billing',
  );
  // Both runs are listed to compare.
  await page.getByRole('button', { name: /^1 diagnostics.spend/ }).click();
  await expect(page.getByText('Credit left')).toBeVisible();
});

for (const width of [390, 1280])
  test(`a press on Run right after typing starts a run at ${width} px, also when the button moves`, async ({
    page,
  }) => {
    const { email } = await createPerson('play-press', 1);
    await signIn(page, email);
    await page.setViewportSize({ width, height: 844 });
    await page.goto(buildSkillPath('diagnostics', 'spend'));
    const amount = page.getByLabel(/^amount_usd/);
    await expect(page.getByText('The price appears once the input is valid.')).toBeVisible();
    // The dry run does not answer: leaving the field shows the problem of the empty one.
    await page.route('**/playground.dryRun**', () => undefined);
    await amount.fill('0.25');
    const button = runButton(page);
    // Not below the navigation of a phone.
    await button.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const place = async () => (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const before = await place();
    await page.mouse.move(before.x + before.width / 2, before.y + 4);
    await page.mouse.down();
    await expect(page.getByText('This field is required')).toBeVisible();
    await expect.poll(async () => (await place()).y, 'the button moves').toBeGreaterThan(before.y + 4);
    await page.mouse.up();
    await expect(page.getByText('Succeeded').first()).toBeVisible();

    // A press that leaves the button is none.
    await page.reload();
    await button.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const after = await place();
    await page.mouse.move(after.x + 4, after.y + 4);
    await page.mouse.down();
    await page.mouse.move(after.x + 4, after.y - 200);
    await page.mouse.up();
    await button.click();
    await expect(page.getByText('Succeeded').first()).toBeVisible();
    await expect(page.getByText('Runs in this session')).toHaveCount(0);
  });

test('an invalid input is reported at its field and can be fixed there', async ({ page }) => {
  const { email } = await createPerson('play-wrong', 0);
  await signIn(page, email);
  await page.goto(buildSkillPath('diagnostics', 'sleep'));
  const seconds = page.getByRole('textbox', { name: /^seconds/ });
  await seconds.fill('soon');
  await seconds.blur();
  await expect(seconds).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('alert').filter({ hasText: 'Must be a number' }).first()).toBeVisible();
  await runButton(page).click();
  const summary = page.getByRole('alert').filter({ hasText: 'Fix 1 error to continue' });
  await summary.getByRole('button', { name: 'seconds:' }).click();
  await expect(seconds).toBeFocused();
  await seconds.fill('0.1');
  await expect(summary).toBeHidden();
  await runWell(page);
});

test('a file field accepts a sample and an uploaded file', async ({ page }) => {
  const { email } = await createPerson('play-file', 1);
  await signIn(page, email);
  await page.goto(buildSkillPath('data', 'profile'));
  const choose = page.getByRole('button', { name: /^Choose a file for / }).first();
  await choose.click();
  await page.getByRole('button', { name: /^sales.csv/ }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('textbox').filter({ visible: true }).first()).toHaveValue('asset_sample_sales');
  await runWell(page);

  await choose.click();
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Upload a file' }).click(),
  ]);
  await chooser.setFiles({ name: 'mine.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n1,2\n3,4\n') });
  await expect(page.getByRole('dialog')).toBeHidden();
  await runWell(page);
  await expect(output(page)).toContainText('2');
});

test('the log of a slow call streams while it runs, and cancelling charges nothing', async ({ page }) => {
  const { email } = await createPerson('play-slow', 0);
  await signIn(page, email);
  await page.goto(buildSkillPath('diagnostics', 'sleep', { seconds: 30, log_every_seconds: 0.2 }));
  await expect(page.getByRole('textbox', { name: /^seconds/ })).toHaveValue('30');
  await runButton(page).click();
  const log = page.getByRole('log', { name: 'Log' });
  await expect(log.getByText(/slept [\d.]+ of 30 s/).nth(1)).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Progress' })).toBeVisible();
  await expect(page.getByText('Succeeded')).toBeHidden();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('The call was stopped. Nothing was charged.')).toBeVisible();
});

test('the JSON editor shows where a syntax error is, and the form takes over its value', async ({ page }) => {
  const { email } = await createPerson('play-json', 0);
  await signIn(page, email);
  await page.goto(buildSkillPath('math', 'evaluate', { expression: 'x + 1', variables: { x: 2 } }));
  await expect(page.getByLabel(/^expression/)).toHaveValue('x + 1');
  await page.getByText('JSON', { exact: true }).click();
  const editor = page.getByRole('textbox', { name: 'Input as JSON' });
  await expect(page.locator('.cm-content')).toBeVisible();
  await editor.fill('{"expression": "y + 1", "variables": {"y": 41},}');
  await expect(page.getByText('Line 1, column 47: Trailing comma before }.')).toBeVisible();
  await editor.fill('{"expression": "y + 1", "variables": {"y": 41}}');
  // Tab leaves the editor.
  await page.keyboard.press('Tab');
  await expect(editor).not.toBeFocused();
  await page.getByText('Form', { exact: true }).click();
  await expect(page.getByLabel(/^expression/)).toHaveValue('y + 1');
  await runWell(page);
  await expect(output(page)).toContainText('42');
  // The tab's draft survives a reload.
  await page.reload();
  await expect(page.getByLabel(/^expression/)).toHaveValue('y + 1');
});

test('a skill is found, filled in and run with the keyboard alone', async ({ page }) => {
  const { email } = await createPerson('play-keys', 0);
  await signIn(page, email);
  await page.goto(PATH);
  const { keyboard } = page;
  await page.getByRole('button', { name: 'Choose a skill' }).focus();
  await keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Search tools and skills' })).toBeFocused();
  await keyboard.type('diagnostics.echo');
  await expect(page.getByRole('option').first()).toContainText('diagnostics.echo');
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Echo' })).toBeVisible();
  await page.getByRole('textbox', { name: /^message/ }).focus();
  await keyboard.type('by keyboard');
  await keyboard.press('Control+Enter');
  await expect(page.getByText('Succeeded').first()).toBeVisible();
  await expect(output(page)).toContainText('by keyboard');
});

test('the code samples run as shown, whatever the input contains', async ({ page }) => {
  const { email, key } = await createPerson('play-code', 0);
  const message = `it's "quoted" \\ and $HOME \`x\` %s\nsecond\tline ü 漢 😀 \u2028`;
  await signIn(page, email);
  await page.goto(buildSkillPath('diagnostics', 'echo', { message }));
  await expect(page.getByRole('textbox', { name: /^message/ })).not.toHaveValue('');
  await page.getByRole('button', { name: 'As code' }).click();
  const samples: Record<string, string> = {};
  for (const language of ['curl', 'TypeScript', 'Python']) {
    await page.getByRole('tab', { name: language }).click();
    samples[language] =
      (await page.getByRole('group', { name: `This call as code, ${language}` }).textContent()) ?? '';
  }
  const folder = await mkdtemp(join(tmpdir(), 'samples-'));
  const env = { ...process.env, TOOL_GATEWAY_KEY: key };
  const getOutput = async (program: string, args: string[]) =>
    JSON.parse((await run(program, args, { env, cwd: folder })).stdout);
  try {
    await writeFile(join(folder, 'sample.mts'), samples.TypeScript ?? '');
    await writeFile(join(folder, 'sample.py'), samples.Python ?? '');
    const tsx = join(process.cwd(), 'node_modules/tsx/dist/cli.mjs');
    const byCurl = await getOutput('sh', ['-c', samples.curl ?? '']);
    expect(byCurl).toMatchObject({ status: 'success', output: { message } });
    const byTypeScript = await getOutput(process.execPath, [tsx, join(folder, 'sample.mts')]);
    expect(byTypeScript.output).toEqual(byCurl.output);
    const hasPython = await run('python3', ['--version']).then(
      () => true,
      () => false,
    );
    test.info().annotations.push({ type: 'python3', description: hasPython ? 'ran' : 'not on this machine' });
    if (hasPython)
      expect((await getOutput('python3', [join(folder, 'sample.py')])).output).toEqual(byCurl.output);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('the playground passes the accessibility checks: empty, filled, invalid, running, with a result and with an error', async ({
  page,
}) => {
  const { email } = await createPerson('play-look', 1);
  await signIn(page, email);
  await checkAccessibility(page, { name: 'playground-empty', path: PATH });
  await checkAccessibility(page, {
    name: 'playground-filled',
    path: buildSkillPath('math', 'evaluate', { expression: 'x + 1', variables: { x: 2, list: [1, 2] } }),
    prepare: (at) => expect(at.getByLabel(/^expression/)).toHaveValue('x + 1'),
  });
  await checkAccessibility(page, {
    name: 'playground-wrong',
    path: buildSkillPath('diagnostics', 'sleep', { seconds: 'soon' }),
    prepare: async (at) => {
      await at.getByRole('textbox', { name: /^seconds/ }).blur();
      await runButton(at).click();
      await expect(at.getByText('Fix 1 error to continue')).toBeVisible();
    },
  });
  await checkAccessibility(page, {
    name: 'playground-running',
    path: buildSkillPath('diagnostics', 'sleep', { seconds: 25 }),
    prepare: async (at) => {
      await expect(at.getByRole('textbox', { name: /^seconds/ })).toHaveValue('25');
      await runButton(at).click();
      await expect(at.getByRole('log', { name: 'Log' })).toContainText('slept');
    },
  });
  await checkAccessibility(page, {
    name: 'playground-result',
    path: buildSkillPath('codes', 'qr', { content: 'https://example.com' }),
    prepare: async (at) => {
      await at.getByRole('button', { name: 'As code' }).click();
      await runWell(at);
      await expect(at.getByRole('img', { name: /^Output \d+ of/ })).toBeVisible();
    },
  });
  await checkAccessibility(page, {
    name: 'playground-error',
    path: buildSkillPath('diagnostics', 'spend', { amount_usd: 1 }),
    prepare: async (at) => {
      await expect(at.getByText('Not enough credit')).toBeVisible();
      await runButton(at).click();
      await expect(at.getByText('INSUFFICIENT_CREDITS')).toBeVisible();
    },
  });
  await checkAccessibility(page, {
    name: 'playground-json',
    path: buildSkillPath('math', 'evaluate', { expression: 'x + 1' }),
    prepare: async (at) => {
      await expect(at.getByLabel(/^expression/)).toHaveValue('x + 1');
      await at.getByText('JSON', { exact: true }).click();
      await expect(at.locator('.cm-content')).toBeVisible();
    },
  });
});
