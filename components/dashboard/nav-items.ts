import { Gauge, KeyRound, type LucideIcon, Settings, Users, Wallet, Wrench } from 'lucide-react';

export interface NavItem {
  href: string;
  label: string;
  icon: LucideIcon;
  /** Behind “More” on a phone, whose bar holds four places and that. */
  folded?: boolean;
}

/** The places of the dashboard, in the order of the sidebar and of the bar on a phone. */
export const NAV_ITEMS: readonly NavItem[] = [
  { href: '/dashboard', label: 'Overview', icon: Gauge },
  { href: '/dashboard/keys', label: 'Keys', icon: KeyRound },
  { href: '/dashboard/billing', label: 'Billing', icon: Wallet },
  { href: '/dashboard/team', label: 'Team', icon: Users },
  { href: '/tools', label: 'Catalogue', icon: Wrench, folded: true },
  { href: '/dashboard/settings', label: 'Settings', icon: Settings, folded: true },
];

/** Whether a path lies in the place; the overview is only itself. */
export function isActive(href: string, pathname: string): boolean {
  return href === '/dashboard' ? pathname === href : pathname === href || pathname.startsWith(`${href}/`);
}
