import type { APIRequestContext } from 'playwright/test';
import { checkAccessibility } from './support/check-accessibility';
import { createPerson, expect, signIn, signInByEmail, test } from './support/fixtures';

/** Starts a job by a real call with `Prefer: wait=0`; returns its id. */
async function startJob(
  request: APIRequestContext,
  key: string,
  skill: 'sleep' | 'background' | 'spend' | 'flaky',
  input: object,
): Promise<string> {
  const response = await request.post('/v1/tools/call', {
    headers: { Authorization: `Bearer ${key}`, Prefer: 'wait=0' },
    data: { tool: 'diagnostics', skill, input },
  });
  expect(response.status()).toBe(202);
  return (await response.json()).job_id;
}

/** The messages in a job's log, read with its key. */
async function readLog(request: APIRequestContext, key: string, id: string): Promise<string[]> {
  const response = await request.get(`/v1/jobs/${id}`, {
    headers: { Authorization: `Bearer ${key}`, Prefer: 'wait=0' },
  });
  return (await response.json()).logs;
}

/** So that the gateway does not wait for the job when it stops. */
async function cancel(request: APIRequestContext, key: string, id: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  expect((await request.post(`/v1/jobs/${id}/cancel`, { headers })).status()).toBe(200);
}

test('a job is followed live and cancelled without a charge, and another ends with its result', {
  tag: '@journey',
}, async ({ page, request }) => {
  const { email, key } = await createPerson('jobs', 2);
  await signIn(page, email);
  await page.goto('/dashboard/jobs');
  await expect(page.getByText('No jobs yet')).toBeVisible();
  await expect(page.getByRole('group', { name: 'Start a job with curl' })).toContainText('Prefer: wait=0');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();

  // Appears without a reload.
  const long = await startJob(request, key, 'sleep', { seconds: 120, log_every_seconds: 0.2 });
  const row = page.getByRole('row').filter({ hasText: 'sleep' });
  await expect(row).toContainText('Running');
  await row.getByRole('button').click();
  const drawer = page.getByRole('dialog');
  const lines = drawer.getByRole('log').locator('p');
  await expect(lines.nth(2)).toContainText('of 120 s');
  await expect(page).toHaveURL(new RegExp(`job=${long}`));

  // A reload shows the same view, without a gap or a duplicate in the log.
  await page.reload();
  const before = (await readLog(request, key, long)).length;
  await expect(lines.nth(before)).toContainText('of 120 s');
  const shown = (await lines.allInnerTexts()).map((line) => /slept .*/.exec(line)?.[0]);
  expect(shown).toEqual((await readLog(request, key, long)).slice(0, shown.length));

  await drawer.getByRole('button', { name: 'Cancel job' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Cancel diagnostics.sleep?');
  await expect(question).toContainText('Nothing is charged');
  await question.getByRole('button', { name: 'Cancel job' }).click();
  await expect(question).toBeHidden();
  await expect(drawer.getByText('This job was cancelled')).toBeVisible();
  await expect(drawer.getByText('Not charged')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(page).toHaveURL(/\/dashboard\/jobs$/);
  await expect(row).toContainText('Cancelled');

  // A second job, followed to its end in the open drawer.
  const paid = await startJob(request, key, 'background', { seconds: 1, steps: 4 });
  const second = page.getByRole('row').filter({ hasText: 'background' });
  await second.getByRole('button').click();
  await expect(drawer.getByText('Completed').first()).toBeVisible();
  await expect(drawer.getByRole('region', { name: 'Output' })).toContainText('steps_done');
  await expect(drawer.getByRole('log')).toContainText('step 4 of 4');
  await expect(drawer.getByRole('link', { name: 'Open in playground' })).toHaveAttribute(
    'href',
    '/dashboard/playground?tool=diagnostics&skill=background',
  );
  const call = paid.replace('job_', 'call_');
  await expect(drawer.getByRole('link', { name: call })).toHaveAttribute(
    'href',
    `/dashboard/usage?call=${call}`,
  );
});

test('filters are in the URL, and the list works with the keyboard', async ({ page, request }) => {
  const { email, key } = await createPerson('job-list', 2);
  const running = await startJob(request, key, 'sleep', { seconds: 240, log_every_seconds: 1 });
  await startJob(request, key, 'flaky', { mode: 'throw' });
  await startJob(request, key, 'spend', { amount_usd: 0.002 });
  await signIn(page, email);
  await page.goto('/dashboard/jobs');
  const rows = page.getByRole('row');
  // The header, and the newest jobs first.
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(3)).toContainText('sleep');
  await expect(rows.filter({ hasText: 'spend' })).toContainText('$0.002');

  await page.getByLabel('Status').selectOption('Failed');
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/status=failed/);
  await page.reload();
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText('flaky');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows).toHaveCount(4);

  await rows.nth(1).getByRole('button').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText('HANDLER_ERROR')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(rows.nth(2).getByRole('button')).toBeFocused();
  await cancel(request, key, running);
});

test('the list passes the accessibility checks', async ({ page, request }) => {
  const { email, key } = await createPerson('job-looks', 2);
  const running = await startJob(request, key, 'sleep', { seconds: 240, log_every_seconds: 1 });
  await startJob(request, key, 'spend', { amount_usd: 0.002 });
  await startJob(request, key, 'flaky', { mode: 'throw' });
  await signIn(page, email);
  await checkAccessibility(page, {
    name: 'jobs',
    path: '/dashboard/jobs',
    prepare: async () => expect(page.getByRole('row')).toHaveCount(4),
  });
  await cancel(request, key, running);
});

for (const [name, skill, input, text] of [
  ['running', 'sleep', { seconds: 240, log_every_seconds: 0.2 }, 'slept'],
  ['completed', 'spend', { amount_usd: 0.002 }, 'amount_usd'],
  ['failed', 'flaky', { mode: 'throw' }, 'HANDLER_ERROR'],
] as const)
  test(`a job that has ${name === 'running' ? 'just begun' : name} passes the accessibility checks`, async ({
    page,
    request,
  }) => {
    const { email, key } = await createPerson(`job-${name}`, 2);
    const id = await startJob(request, key, skill, input);
    await signIn(page, email);
    await checkAccessibility(page, {
      name: `jobs-${name}`,
      path: `/dashboard/jobs?job=${id}`,
      prepare: async () => expect(page.getByRole('dialog').getByText(text).first()).toBeVisible(),
    });
    if (name === 'running') await cancel(request, key, id);
  });

test('another person’s job is not visible, and signing in returns to the job', async ({ page, request }) => {
  const owner = await createPerson('job-owner', 0);
  const otherPerson = await createPerson('job-other-person', 0);
  const id = await startJob(request, owner.key, 'sleep', { seconds: 200, log_every_seconds: 0.5 });
  await signIn(page, otherPerson.email);
  await page.goto(`/dashboard/jobs?job=${id}`);
  await expect(page.getByRole('dialog')).toContainText('Job not found');
  await expect(page.getByRole('dialog').getByRole('log')).toBeHidden();
  await checkAccessibility(page, {
    name: 'jobs-empty',
    path: '/dashboard/jobs',
    prepare: async () => expect(page.getByText('No jobs yet')).toBeVisible(),
  });
  await page.context().clearCookies();
  await signInByEmail(page, owner.email, `/dashboard/jobs?job=${id}`);
  await expect(page.getByRole('dialog').getByRole('log')).toContainText('slept');
  await expect(page).toHaveURL(new RegExp(`/dashboard/jobs\\?job=${id}`));
  await cancel(request, owner.key, id);
});
