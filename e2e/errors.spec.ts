import type { APIRequestContext } from 'playwright/test';
import { checkAccessibility } from './support/check-accessibility';
import { createPerson, expect, signIn, test } from './support/fixtures';

/** Calls a skill that fails, as an agent does. */
async function fail(request: APIRequestContext, key: string, tool: string, skill: string, input: object) {
  const response = await request.post('/v1/tools/call', {
    headers: { Authorization: `Bearer ${key}` },
    data: { tool, skill, input },
  });
  expect(response.ok()).toBe(false);
}

test('errors by tool and code lead from usage to the failed calls of one', async ({ page, request }) => {
  const { email, key } = await createPerson('errors', 5);
  for (let n = 0; n < 3; n += 1) await fail(request, key, 'diagnostics', 'flaky', { mode: 'throw' });
  await fail(request, key, 'math', 'evaluate', { expression: '1 +' });
  await signIn(page, email);
  await page.goto('/dashboard/usage');
  await page.getByRole('link', { name: 'Errors', exact: true }).click();
  const errors = page.getByRole('table', { name: 'Errors by tool and code' });
  await expect(errors.getByRole('row')).toHaveCount(3);
  const flaky = errors.getByRole('row').filter({ hasText: 'HANDLER_ERROR' });
  await expect(flaky).toContainText('diagnostics');
  await expect(flaky).toContainText('3');
  await expect(flaky).toContainText('The tool failed or timed out. Call again later.');
  await expect(flaky.getByRole('link', { name: 'See the messages' })).toHaveAttribute(
    'href',
    '/dashboard/usage/errors?tool=diagnostics&error=HANDLER_ERROR#calls',
  );
  await checkAccessibility(page, { name: 'usage-errors', path: '/dashboard/usage/errors' });

  await errors.getByRole('row').filter({ hasText: 'HANDLER_ERROR' }).getByRole('link').first().click();
  await expect(page).toHaveURL(/tool=diagnostics/);
  await expect(page).toHaveURL(/error=HANDLER_ERROR/);
  await expect(errors.getByRole('row')).toHaveCount(2);
  const calls = page.getByRole('table', { name: 'Failed calls' });
  await expect(calls.getByRole('row')).toHaveCount(4);
  await expect(calls).not.toContainText('math');
  // Each call says why it failed.
  await expect(calls.getByRole('columnheader', { name: 'Message' })).toBeVisible();
  await expect(calls.getByRole('row').last()).toContainText(/thrown|failed|boom/i);
  // Invalid input that was refused before a call ran is on the other page, which links back.
  await page.goto('/dashboard/usage/errors?error=INVALID_INPUT');
  await expect(calls).toContainText('evaluate');
  await page.getByRole('link', { name: 'Refused before the call ran' }).click();
  await expect(page).toHaveURL(/usage\/refused\?error=INVALID_INPUT/);
});
