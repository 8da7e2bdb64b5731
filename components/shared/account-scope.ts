'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useSyncExternalStore } from 'react';
import type { BillingBalance } from '@/server/money/billing/schema';
import { BILLING_PARAM, withBilling } from './account-path';
import { NAV_ITEMS } from './nav-items';

const TEAM_PATH = /^\/dashboard\/team\/([^/]+)/;

/** Whether the page at this path takes `?billing=` to select its account. */
export function isScoped(pathname: string): boolean {
  return NAV_ITEMS.some(({ href, scoped }) => scoped && href === pathname);
}

/**
 * Parameters kept when the account changes: they mean the same there. Keys, members and calls do
 * not.
 */
const PRESERVED_PARAMS = ['period', 'from', 'to', 'tool', 'skill', 'status', 'kind'];

/**
 * Where switching accounts leads: the same view if the page is scoped to an account, otherwise the
 * overview.
 */
export function accountHref(pathname: string, params: URLSearchParams, slug: string | null): string {
  if (!isScoped(pathname)) return withBilling('/dashboard', slug);
  const kept = new URLSearchParams();
  for (const name of PRESERVED_PARAMS) {
    const value = params.get(name);
    if (value) kept.set(name, value);
  }
  return withBilling(`${pathname}?${kept}`, slug);
}

/**
 * The last choice in this tab, for pages not scoped to an account. Not stored: a reload resets it
 * to personal.
 */
let remembered: string | null = null;
const listeners = new Set<() => void>();

function remember(slug: string | null): void {
  if (slug === remembered) return;
  remembered = slug;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * The slug of the selected team; null for the personal account. The URL decides; a page that is not
 * scoped to an account keeps the previous choice.
 */
export function useChosenSlug(): string | null {
  const pathname = usePathname();
  const params = useSearchParams();
  const last = useSyncExternalStore(
    subscribe,
    () => remembered,
    () => null,
  );
  const said = parseSlug(pathname, params);
  const slug = said === undefined ? last : said;
  useEffect(() => remember(slug), [slug]);
  return slug;
}

/** Undefined if the URL does not select an account. */
function parseSlug(pathname: string, params: URLSearchParams): string | null | undefined {
  const [, team] = TEAM_PATH.exec(pathname) ?? [];
  if (team !== undefined) return decodeURIComponent(team);
  const slug = params.get(BILLING_PARAM);
  if (slug !== null && slug !== '' && slug !== 'personal') return slug;
  return isScoped(pathname) ? null : undefined;
}

/** A team's name, or `Personal`. */
export function accountName(account: BillingBalance['accounts'][number]): string {
  return account.type === 'team' ? account.name : 'Personal';
}
