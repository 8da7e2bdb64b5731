import type { Page } from 'playwright/test';
import { expect } from './fixtures';

let teams = 0;

/** A unique team name. */
export function newTeamName(name: string): string {
  return `${name} ${process.pid} ${++teams}`;
}

/** Creates a team on the teams page; ends on the team's page. */
export async function createTeam(page: Page, name: string): Promise<string> {
  await page.goto('/dashboard/team');
  await page.getByRole('button', { name: 'Create team' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  const slug = await dialog.getByLabel('Slug').inputValue();
  await dialog.getByRole('button', { name: 'Create team' }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page).toHaveURL(`/dashboard/team/${slug}`);
  return slug;
}

/** Invites someone on the team's page; returns the path of the link. */
export async function invite(page: Page, email: string, role: 'Member' | 'Admin'): Promise<string> {
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email', { exact: true }).fill(email);
  await dialog.getByLabel('Role').selectOption(role);
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  const link = await dialog.getByRole('status', { name: 'Invitation link' }).textContent();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
  const { pathname, search } = new URL(link ?? '');
  return pathname + search;
}

/** Joins on the link's page, signed in as the invited person. */
export async function accept(page: Page, path: string, team: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('button', { name: 'Join the team' }).click();
  await expect(page.getByRole('heading', { name: `You are in ${team}` })).toBeFocused();
}
