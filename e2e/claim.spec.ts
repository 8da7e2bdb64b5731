import { checkAccessibility } from './support/check-accessibility';
import { callTool, expect, newEmail, provision, signIn, test } from './support/fixtures';

test('opening a claim link changes nothing; the button claims the key, and the link then says so @B9', async ({
  page,
  request,
}) => {
  const { key, claimPath } = await provision(request);
  await signIn(page, newEmail('claimer'));
  for (let visit = 0; visit < 3; visit++) {
    await page.goto(claimPath);
    await expect(page.getByRole('heading', { name: 'Claim this key' })).toBeVisible();
  }
  await page.goto('/dashboard/keys');
  await expect(page.getByText('No keys yet')).toBeVisible();
  const still = await callTool(request, key, 'spend', { amount_usd: 0.01 });
  expect(still).toMatchObject({ status: 403, body: { error: { code: 'CLAIM_REQUIRED' } } });

  await page.goto(claimPath);
  await page.getByRole('button', { name: 'Claim this key' }).click();
  await expect(page.getByRole('heading', { name: 'The key is yours' })).toBeFocused();
  await page.goto(claimPath);
  await expect(page.getByRole('heading', { name: 'You already own this key' })).toBeVisible();
});

test('a claimed key can manage the account only if the person allows it', async ({ page, request }) => {
  await signIn(page, newEmail('chooses'));
  for (const [manages, status] of [
    [false, 403],
    [true, 201],
  ] as const) {
    const { key, claimPath } = await provision(request);
    await page.goto(claimPath);
    const choice = page.getByLabel('Let this key manage the account');
    await expect(choice).not.toBeChecked();
    if (manages) await choice.check();
    await page.getByRole('button', { name: 'Claim this key' }).click();
    await expect(page.getByRole('heading', { name: 'The key is yours' })).toBeVisible();
    const created = await request.post('/v1/keys', { headers: { Authorization: `Bearer ${key}` } });
    expect(created.status()).toBe(status);
  }
});

test('a link used by someone else shows that the key was claimed, to visitors and signed-in users @B9', async ({
  page,
  request,
}) => {
  const { claimPath } = await provision(request);
  await signIn(page, newEmail('first'));
  await page.goto(claimPath);
  await page.getByRole('button', { name: 'Claim this key' }).click();
  await expect(page.getByRole('heading', { name: 'The key is yours' })).toBeVisible();

  await page.context().clearCookies();
  await page.goto(claimPath);
  await expect(page.getByRole('heading', { name: 'This key has already been claimed' })).toBeVisible();
  const second = newEmail('second');
  await signIn(page, second);
  await page.goto(claimPath);
  await expect(page.getByRole('heading', { name: 'This key has already been claimed' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(second);
  await expect(page.getByRole('button', { name: 'Claim this key' })).toHaveCount(0);
});

test('two people with the page open: the second one sees an error and gets nothing @B9', async ({
  page,
  request,
  newPage,
}) => {
  const { claimPath } = await provision(request);
  await signIn(page, newEmail('slow'));
  await page.goto(claimPath);
  const faster = await newPage();
  await signIn(faster, newEmail('fast'));
  await faster.goto(claimPath);
  await faster.getByRole('button', { name: 'Claim this key' }).click();
  await expect(faster.getByRole('heading', { name: 'The key is yours' })).toBeVisible();

  await page.getByRole('button', { name: 'Claim this key' }).click();
  await expect(page.getByRole('heading', { name: 'This key has already been claimed' })).toBeVisible();
  await page.goto('/dashboard/keys');
  await expect(page.getByText('No keys yet')).toBeVisible();
});

test('an invalid or truncated link shows how to request the right one', async ({ page, request }) => {
  const { claimPath } = await provision(request);
  for (const path of ['/claim', '/claim?token=', '/claim?token=clm_wrong', claimPath.slice(0, -1)]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'This claim link does not work' })).toBeVisible();
  }
});

test('after a claim, the page links to the key, and its limit can be set', async ({ page, request }) => {
  const { claimPath } = await provision(request);
  await signIn(page, newEmail('goes-on'));
  await page.goto(claimPath);
  await page.getByRole('button', { name: 'Claim this key' }).click();
  await page.getByRole('link', { name: 'View key' }).click();
  await expect(page).toHaveURL(/\/dashboard\/keys\?q=tg_live_/);
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Set a credit limit' })).toBeVisible();
});

test('every outcome of a claim passes the accessibility checks', async ({ page, request }) => {
  const { claimPath } = await provision(request);
  await signIn(page, newEmail('claim-look'));
  await checkAccessibility(page, {
    name: 'claim-done',
    path: claimPath,
    async prepare(shown) {
      await shown.getByRole('button', { name: 'Claim this key' }).click();
      await expect(shown.getByRole('heading', { name: 'The key is yours' })).toBeVisible();
    },
  });
  await checkAccessibility(page, { name: 'claim-yours', path: claimPath });
  await page.context().clearCookies();
  await checkAccessibility(page, { name: 'claim-other', path: claimPath });
});
