import { checkAccessibility } from './support/check-accessibility';
import { baseUrl, createPerson, expect, signIn, test } from './support/fixtures';

/** A name that never resolves, so that every attempt fails. */
const UNREACHABLE = 'https://receiver.invalid/hooks';

test('an endpoint is created, tested, replayed, rotated, disabled and deleted', async ({ page }) => {
  const { email } = await createPerson('webhooks', 1);
  await signIn(page, email);
  await page.goto('/dashboard/webhooks');
  await expect(page.getByText('No endpoints yet')).toBeVisible();
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  const dialog = page.getByRole('dialog');
  const create = dialog.getByRole('button', { name: 'Create endpoint' });
  // In a low window the events scroll below the buttons.
  await page.setViewportSize({ width: 1280, height: 560 });
  await expect(create).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 1280, height: 800 });
  await dialog.getByLabel('URL').fill(UNREACHABLE);
  await create.click();
  await expect(dialog).toContainText('Choose at least one event.');
  await dialog.getByLabel('job.completed').check();
  await dialog.getByLabel('balance.low').check();
  await create.click();
  const output = dialog.getByRole('status', { name: 'signing secret' });
  await expect(output).toHaveText(/^whsec_/);
  const secret = (await output.textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
  expect(await page.content()).not.toContain(secret);
  await page.getByRole('row').filter({ hasText: UNREACHABLE }).getByRole('link').click();

  await page.getByRole('button', { name: 'Send test event' }).click();
  const outcome = page.getByRole('alert').filter({ hasText: 'No response after' });
  await expect(outcome).toContainText('The host receiver.invalid does not exist', { timeout: 30_000 });
  await outcome.getByRole('button', { name: 'View the delivery' }).click();
  await expect(dialog).toContainText('webhook.test');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  const row = page.getByRole('row').filter({ hasText: 'webhook.test' });
  await expect(row).toContainText('No response', { timeout: 30_000 });
  await row.getByRole('button').click();
  await expect(dialog).toContainText('The host receiver.invalid does not exist');
  await dialog.getByText('Request and response').first().click();
  await expect(dialog).toContainText('webhook-id: msg_');
  await expect(dialog).not.toContainText('webhook-signature');
  await dialog.getByRole('button', { name: 'Replay' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Replay failed' }).click();
  await expect(page.getByText('No delivery has failed')).toBeVisible();

  const act = async (name: string) => {
    await page.getByRole('button', { name: 'Actions for the endpoint' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await act('Rotate secret');
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  await expect(dialog.getByRole('status', { name: 'signing secret' })).not.toHaveText(secret);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Old secret signs until')).toBeVisible();
  await act('Disable');
  await expect(page.getByRole('main')).toContainText('StatusDisabled');
  await expect(page.getByRole('button', { name: 'Send test event' })).toBeDisabled();
  await act('Enable');
  await expect(page.getByRole('main')).toContainText('StatusEnabled');
  await act('Edit');
  await dialog.getByLabel('Description').fill('Production');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('main')).toContainText('Production');
  await page.getByRole('link', { name: 'Webhooks' }).last().click();
  const listed = page.getByRole('row').filter({ hasText: UNREACHABLE });
  await expect(listed).toContainText(/No response, .*\d{2}:\d{2}/);
  await listed.getByRole('link').click();
  await act('Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete endpoint' }).click();
  await expect(page.getByText('No endpoints yet')).toBeVisible();
});

test('a URL outside the public internet is refused at its field', async ({ page }) => {
  const { email } = await createPerson('private-webhook', 1);
  await signIn(page, email);
  await page.goto('/dashboard/webhooks');
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill('http://10.0.0.1/hooks');
  await dialog.getByLabel('job.completed').check();
  await dialog.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(dialog).toContainText('not on the public internet');
});

test('the pages of webhooks are accessible at every width and theme', async ({ page, request }) => {
  const { email, key } = await createPerson('webhooks-axe', 1);
  const headers = { Authorization: `Bearer ${key}` };
  const made = await request.post(`${baseUrl()}/v1/webhooks`, {
    headers,
    data: { url: UNREACHABLE, events: ['job.completed', 'job.failed'], description: 'Production' },
  });
  const { id } = await made.json();
  await request.post(`${baseUrl()}/v1/webhooks/${id}/test`, { headers, data: {} });
  await signIn(page, email);
  await checkAccessibility(page, { name: 'webhooks', path: '/dashboard/webhooks' });
  await checkAccessibility(page, {
    name: 'webhook-create',
    path: '/dashboard/webhooks?create=1',
    prepare: async () => {
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  });
  await checkAccessibility(page, {
    name: 'webhook-delivery',
    path: `/dashboard/webhooks/${id}`,
    prepare: async () => {
      const row = page.getByRole('row').filter({ hasText: 'webhook.test' });
      await expect(row).toContainText('No response', { timeout: 30_000 });
      await row.getByRole('button').click();
      await page.getByRole('dialog').getByText('Request and response').first().click();
    },
  });
});
