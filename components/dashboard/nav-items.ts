import {
  Activity,
  FlaskConical,
  FolderOpen,
  Gauge,
  KeyRound,
  ListChecks,
  type LucideIcon,
  Plug,
  Settings,
  Star,
  Users,
  Wallet,
  Wrench,
} from 'lucide-react';

export interface NavItem {
  href: string;
  label: string;
  icon: LucideIcon;
  /** In the bar of a phone, which holds four places; the others are behind “More”. */
  pinned?: boolean;
  /** Shows the account that `?billing=` names, personal or a team: the choice goes along to it. */
  scoped?: boolean;
}

export interface NavGroup {
  /** Read aloud; null for the first, which needs none. */
  label: string | null;
  items: readonly NavItem[];
}

/** The places of the dashboard, in the order of the sidebar. */
export const NAV_GROUPS: readonly NavGroup[] = [
  {
    label: null,
    items: [
      { href: '/dashboard', label: 'Overview', icon: Gauge, pinned: true, scoped: true },
      { href: '/dashboard/playground', label: 'Playground', icon: FlaskConical },
      { href: '/dashboard/usage', label: 'Usage', icon: Activity, pinned: true, scoped: true },
      { href: '/dashboard/jobs', label: 'Jobs', icon: ListChecks },
      { href: '/dashboard/assets', label: 'Assets', icon: FolderOpen },
    ],
  },
  {
    label: 'Access and money',
    items: [
      { href: '/dashboard/keys', label: 'Keys', icon: KeyRound, pinned: true },
      { href: '/dashboard/billing', label: 'Billing', icon: Wallet, pinned: true, scoped: true },
      { href: '/dashboard/provider-keys', label: 'Provider keys', icon: Plug },
      { href: '/dashboard/team', label: 'Team', icon: Users },
    ],
  },
  {
    label: 'Tools and you',
    items: [
      { href: '/tools', label: 'Catalogue', icon: Wrench },
      { href: '/dashboard/reviews', label: 'Reviews', icon: Star },
      { href: '/dashboard/settings', label: 'Settings', icon: Settings },
    ],
  },
];

export const NAV_ITEMS: readonly NavItem[] = NAV_GROUPS.flatMap((group) => group.items);

/** Whether a path lies in the place; the overview is only itself. */
export function isActive(href: string, pathname: string): boolean {
  return href === '/dashboard' ? pathname === href : pathname === href || pathname.startsWith(`${href}/`);
}
