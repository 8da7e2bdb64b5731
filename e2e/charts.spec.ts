import { checkAccessibility } from './support/check-accessibility';
import { chargeYesterday, createPerson, expect, signIn, test } from './support/fixtures';

test('the chart colours the eight leading tools, sums up the others, and is read, filtered and shown as a table', async ({
  page,
}) => {
  const { email } = await createPerson('chart', 0);
  const tools = [...'abcdefghij'].map((letter) => `tool-${letter}`);
  await chargeYesterday(
    email,
    tools.map((_, n) => (n + 1) / 100),
    tools,
  );
  await signIn(page, email);
  const path = '/dashboard/usage?period=yesterday';
  await page.goto(path);
  const chart = page.getByRole('group', { name: /^Spend, yesterday, by tool\./ });
  const figure = page.locator('figure').filter({ has: chart });
  const legend = figure.getByRole('listitem');
  await expect(legend).toHaveText([...tools.toReversed().slice(0, 8), '2 other tools']);
  await expect(figure).toContainText(/Hours?, UTC/);

  // The arrow keys read a bar: its hour, total and parts.
  await chart.focus();
  const readout = figure.getByRole('status');
  await expect(async () => {
    await page.keyboard.press('ArrowLeft');
    await expect(readout).toContainText('$0.55', { timeout: 100 });
  }).toPass();
  await expect(readout).toContainText('tool-j $0.10');
  await expect(readout).toContainText('2 other tools $0.03');

  // What the legend hides leaves the sum.
  await legend.first().getByRole('button').click();
  await chart.focus();
  await expect(async () => {
    await page.keyboard.press('ArrowLeft');
    await expect(readout).toContainText('$0.45', { timeout: 100 });
  }).toPass();
  await page.getByRole('radio', { name: 'Table' }).first().click();
  await expect(page).toHaveURL(/view=table/);
  const table = page.getByRole('table', { name: /^Spend, yesterday/ });
  // The only hour with calls, and the total.
  await expect(table.getByRole('row').filter({ hasText: '$0.55' })).toHaveCount(2);
  await checkAccessibility(page, { name: 'usage-chart', path });
});
