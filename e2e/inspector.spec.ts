import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright/test';
import { checkAccessibility } from './support/check-accessibility';
import { baseUrl, createPerson, expect, signIn, test } from './support/fixtures';

const run = promisify(execFile);
const calls = (page: Page) => page.getByRole('table', { name: /^Calls/ });
const rows = (page: Page) => calls(page).getByRole('row');

/** Calls a skill as an agent does, with a request id of its own. */
async function call(key: string, requestId: string, tool: string, skill: string, input: object) {
  return await fetch(`${baseUrl()}/v1/tools/call`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/json',
      'X-Request-Id': requestId,
    },
    body: JSON.stringify({ tool, skill, input }),
  });
}

test('a person stores contents, finds a call by its request id, inspects it and runs it again', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { email, key } = await createPerson('inspector', 5);
  await signIn(page, email);
  await page.goto('/dashboard/settings');
  await page.getByLabel('Store contents').selectOption('For 7 days');
  await expect(page.getByText(/^Encrypted, .* 0 bytes of 1.0 GiB used/)).toBeVisible();

  expect((await call(key, 'inspect-1', 'math', 'evaluate', { expression: '6*7' })).status).toBe(200);
  expect((await call(key, 'inspect-2', 'diagnostics', 'flaky', { mode: 'throw' })).status).toBe(502);
  expect((await call(key, 'inspect-3', 'diagnostics', 'echo', { message: `my key is ${key}` })).status).toBe(
    200,
  );

  // The id in the header of a response finds its call.
  await page.goto('/dashboard/usage');
  await expect(rows(page)).toHaveCount(4);
  await page.getByLabel('Request or call id').fill('inspect-1');
  await expect(page).toHaveURL(/request=inspect-1/);
  await expect(rows(page)).toHaveCount(2);
  await calls(page).getByRole('button', { name: 'math.evaluate' }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByRole('region', { name: 'Input' })).toContainText('6*7');
  await expect(drawer.getByRole('region', { name: 'Output' })).toContainText('42');
  await expect(drawer).toContainText('inspect-1');
  await expect(drawer.getByText('Client address')).toBeVisible();
  await expect(drawer).toContainText(/127\.0\.0\.1|::1/);
  await expect(drawer).toContainText('Stored encrypted until');

  // The command runs as it was copied, with the key in the environment.
  await drawer.getByRole('button', { name: 'Copy as curl' }).click();
  const readCopy = () => page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(readCopy).toContain('$TOOL_GATEWAY_KEY');
  const curl = await readCopy();
  expect(curl).not.toContain(key);
  const { stdout } = await run('bash', ['-c', curl], { env: { ...process.env, TOOL_GATEWAY_KEY: key } });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'success', output: { result: '42' } });

  await drawer.getByRole('link', { name: 'Run again in playground' }).click();
  await expect(page.getByLabel(/^expression/)).toHaveValue('6*7');
  // A reload must not undo later edits.
  await expect(page).toHaveURL(/\?tool=math&skill=evaluate$/);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText('Succeeded').first()).toBeVisible();

  // A failed call: its hint, its chapter, and no secrets in what is stored of another.
  await page.goto('/dashboard/usage');
  await page.getByLabel('Error code').selectOption('HANDLER_ERROR');
  await expect(rows(page)).toHaveCount(2);
  await calls(page).getByRole('button', { name: 'diagnostics.flaky' }).click();
  await expect(drawer.getByRole('region', { name: 'Input' })).toContainText('throw');
  await expect(drawer.getByRole('link', { name: 'What this code means' })).toHaveAttribute(
    'href',
    '/docs/errors#HANDLER_ERROR',
  );
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await expect(rows(page)).toHaveCount(6);
  await calls(page).getByRole('button', { name: 'diagnostics.echo' }).click();
  await expect(drawer.getByRole('region', { name: 'Input' })).toContainText('[redacted]');
  await expect(drawer).not.toContainText(key);
  await page.keyboard.press('j');
  await expect(drawer).toContainText('diagnostics.flaky');
  await page.keyboard.press('k');
  await expect(drawer).toContainText('diagnostics.echo');
  const opened = new URL(page.url());
  const path = opened.pathname + opened.search;
  // An input with gaps comes with a warning.
  await drawer.getByRole('link', { name: 'Run again in playground' }).click();
  await expect(page.getByText('Check the input before you run it')).toBeVisible();
  await checkAccessibility(page, {
    name: 'inspector',
    path,
    prepare: (there) => expect(there.getByRole('region', { name: 'Output' })).toBeVisible(),
  });
  await checkAccessibility(page, {
    name: 'inspector-settings',
    path: '/dashboard/settings',
    prepare: (there) => expect(there.getByLabel('Store contents')).toBeVisible(),
  });

  // Fewer days delete what is older, and opting out deletes all: both ask first.
  await page.goto('/dashboard/settings');
  const days = page.getByRole('combobox', { name: 'Store contents' });
  await days.selectOption('For 1 day');
  await expect(page.getByRole('alertdialog')).toContainText('older than that are deleted');
  await page.getByRole('button', { name: 'Delete older contents' }).click();
  await expect(days).toHaveValue('1');
  await days.selectOption('Off');
  await page.getByRole('button', { name: 'Stop and delete' }).click();
  await expect(days).toHaveValue('');
  await page.goto(path);
  await expect(drawer).toContainText('Not stored. Store contents of calls to see them here.');

  // Without its input, the form is empty in spite of the draft, and says why.
  await drawer.getByRole('link', { name: 'Run again in playground' }).click();
  const notice = page.getByText('The form is empty, because the input of this call is not stored');
  await expect(notice).toBeVisible();
  await expect(page.getByLabel(/^message/)).toHaveValue('');
  await expect(page).toHaveURL(/\?tool=diagnostics&skill=echo$/);
  await expect(page.getByRole('link', { name: 'Store contents of calls' })).toHaveAttribute(
    'href',
    '/dashboard/settings#contents',
  );
  await page.getByLabel(/^message/).fill('again');
  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByText('Succeeded').first()).toBeVisible();
  await checkAccessibility(page, {
    name: 'run-again',
    path: `/dashboard/playground?tool=diagnostics&skill=echo&call=${opened.searchParams.get('call')}`,
    prepare: (there) => expect(there.getByText(/^The form is empty/)).toBeVisible(),
  });
});

test('the live tail shows calls as they end, and counts them while it is paused', async ({ page }) => {
  const { email, key } = await createPerson('tail', 5);
  expect((await call(key, 'tail-1', 'math', 'evaluate', { expression: '1+1' })).status).toBe(200);
  await signIn(page, email);
  await page.goto('/dashboard/usage');
  await page.getByRole('switch', { name: 'Live tail' }).click();
  await expect(page).toHaveURL(/tail=1/);
  await expect(rows(page)).toHaveCount(2);
  await call(key, 'tail-2', 'diagnostics', 'echo', { message: 'x' });
  await expect(rows(page).nth(1)).toContainText('diagnostics.echo');
  await page.getByRole('button', { name: 'Pause' }).click();
  await call(key, 'tail-3', 'diagnostics', 'spend', { amount_usd: 0.01 });
  await expect(page.getByText('Paused: 1 new call')).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  // A paused list is that of its filter.
  await page.getByLabel('Error code').selectOption('HANDLER_ERROR');
  await expect(page.getByText('Waiting for calls')).toBeVisible();
  await page.getByLabel('Error code').selectOption('Any');
  await expect(rows(page)).toHaveCount(4);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(rows(page).nth(1)).toContainText('diagnostics.spend');
  await checkAccessibility(page, {
    name: 'live-tail',
    path: '/dashboard/usage?tail=1',
    prepare: (there) => expect(rows(there)).toHaveCount(4),
  });
});
