import { callTool, expect, newEmail, provision, signIn, test } from './support/fixtures';
import { lookAt } from './support/look';

test('looking at a claim link moves nothing; the button does, and the link then says so', async ({
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
  await expect(page.getByRole('heading', { name: 'This key is yours already' })).toBeVisible();
});

test('a claimed key manages the account only if its person says so', async ({ page, request }) => {
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

test('a link that someone else used says so, to a visitor and to whoever is signed in', async ({
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
  await expect(page.getByRole('heading', { name: 'This key was claimed already' })).toBeVisible();
  const second = newEmail('second');
  await signIn(page, second);
  await page.goto(claimPath);
  await expect(page.getByRole('heading', { name: 'This key was claimed already' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText(second);
  await expect(page.getByRole('button', { name: 'Claim this key' })).toHaveCount(0);
});

test('two people with the page open: the second one is told, and gets nothing', async ({
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
  await expect(page.getByRole('heading', { name: 'This key was claimed already' })).toBeVisible();
  await page.goto('/dashboard/keys');
  await expect(page.getByText('No keys yet')).toBeVisible();
});

test('a wrong or cut link says how to get the right one', async ({ page, request }) => {
  const { claimPath } = await provision(request);
  for (const path of ['/claim', '/claim?token=', '/claim?token=clm_wrong', claimPath.slice(0, -1)]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'This claim link does not work' })).toBeVisible();
  }
});

test('after a claim one goes on to the key, whose limit can then be set', async ({ page, request }) => {
  const { claimPath } = await provision(request);
  await signIn(page, newEmail('goes-on'));
  await page.goto(claimPath);
  await page.getByRole('button', { name: 'Claim this key' }).click();
  await page.getByRole('link', { name: 'See the key' }).click();
  await expect(page).toHaveURL(/\/dashboard\/keys\?q=tg_live_/);
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await expect(page.getByRole('menuitem', { name: 'Set a credit limit' })).toBeVisible();
});

test('every end of a claim is looked at', async ({ page, request }) => {
  const { claimPath } = await provision(request);
  await signIn(page, newEmail('claim-look'));
  await lookAt(page, {
    name: 'claim-done',
    path: claimPath,
    async prepare(shown) {
      await shown.getByRole('button', { name: 'Claim this key' }).click();
      await expect(shown.getByRole('heading', { name: 'The key is yours' })).toBeVisible();
    },
  });
  await lookAt(page, { name: 'claim-yours', path: claimPath });
  await page.context().clearCookies();
  await lookAt(page, { name: 'claim-other', path: claimPath });
});
