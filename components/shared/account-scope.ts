'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect, useSyncExternalStore } from 'react';
import type { BillingBalance } from '@/server/money/billing/schema';
import { NAV_ITEMS } from './nav-items';

/** The name under which every URL says whose account a view is about. */
export const BILLING_PARAM = 'billing';

const TEAM_PATH = /^\/dashboard\/team\/([^/]+)/;

/**
 * The same place, for this account: null is one's own, which no URL names.
 * @param href a path of the dashboard, with or without a query
 */
export function withBilling(href: string, slug: string | null): string {
  const [path = '', query = ''] = href.split('?', 2);
  const params = new URLSearchParams(query);
  if (slug === null) params.delete(BILLING_PARAM);
  else params.set(BILLING_PARAM, slug);
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}

/** Whether the page at this path shows one account or another by `?billing=`. */
export function isScoped(pathname: string): boolean {
  return NAV_ITEMS.some(({ href, scoped }) => scoped && href === pathname);
}

/** What a view keeps when another account is chosen: it means the same there. Keys, members and calls do not. */
const KEPT_PARAMS = ['period', 'from', 'to', 'tool', 'skill', 'status', 'kind'];

/** Where choosing an account leads: the same view where the page can show that account, else its overview. */
export function accountHref(pathname: string, params: URLSearchParams, slug: string | null): string {
  if (!isScoped(pathname)) return withBilling('/dashboard', slug);
  const kept = new URLSearchParams();
  for (const name of KEPT_PARAMS) {
    const value = params.get(name);
    if (value) kept.set(name, value);
  }
  return withBilling(`${pathname}?${kept}`, slug);
}

/** The last choice of this tab, for the pages that are about no account. Never stored: a reload begins with one's own. */
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
 * The slug of the team whose account is chosen; null for one's own. What the URL says is the choice; a page that is about
 * no account leaves it as it was, so that going over Keys does not change it.
 */
export function useChosenSlug(): string | null {
  const pathname = usePathname();
  const params = useSearchParams();
  const last = useSyncExternalStore(
    subscribe,
    () => remembered,
    () => null,
  );
  const said = saidBy(pathname, params);
  const slug = said === undefined ? last : said;
  useEffect(() => remember(slug), [slug]);
  return slug;
}

/** Undefined where the URL says nothing about it. */
function saidBy(pathname: string, params: URLSearchParams): string | null | undefined {
  const [, team] = TEAM_PATH.exec(pathname) ?? [];
  if (team !== undefined) return decodeURIComponent(team);
  const slug = params.get(BILLING_PARAM);
  if (slug !== null && slug !== '' && slug !== 'personal') return slug;
  return isScoped(pathname) ? null : undefined;
}

/** A team's name; one's own account has none that is shown. */
export function accountName(account: BillingBalance['accounts'][number]): string {
  return account.type === 'team' ? account.name : 'Personal';
}
