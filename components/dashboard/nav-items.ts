import { Gauge, KeyRound, type LucideIcon, Settings, Wrench } from 'lucide-react';

interface NavItem {
  href: string;
  label: string;
  icon: LucideIcon;
}

/** The places of the dashboard, in the order of the sidebar and of the bar on a phone. */
export const NAV_ITEMS: readonly NavItem[] = [
  { href: '/dashboard', label: 'Overview', icon: Gauge },
  { href: '/dashboard/keys', label: 'Keys', icon: KeyRound },
  { href: '/tools', label: 'Catalogue', icon: Wrench },
  { href: '/dashboard/settings', label: 'Settings', icon: Settings },
];

/** Whether a path lies in the place; the overview is only itself. */
export function isActive(href: string, pathname: string): boolean {
  return href === '/dashboard' ? pathname === href : pathname === href || pathname.startsWith(`${href}/`);
}
