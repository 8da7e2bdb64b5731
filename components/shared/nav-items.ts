import {
  Activity,
  FlaskConical,
  FolderOpen,
  Gauge,
  type IconComponent,
  KeyRound,
  ListChecks,
  Plug,
  Settings,
  ShieldCheck,
  Star,
  Users,
  Wallet,
  Webhook,
  Wrench,
} from '../ui/icons';

/** A page of the navigation. */
export interface Place {
  href: string;
  label: string;
  icon: IconComponent;
  /** Shown in the bar on a phone, which has room for four; the others are under “More”. */
  pinned?: boolean;
  /** Shows the account in `?billing=`, personal or a team, so links carry the selection. */
  scoped?: boolean;
}

export interface NavItem extends Place {
  /** The second letter of the shortcut that starts with `g`. */
  go: string;
}

interface NavGroup<Item extends Place> {
  /** The group's accessible name; null for the first group, which needs none. */
  label: string | null;
  items: readonly Item[];
}

/** The dashboard's pages, in the order of the sidebar. */
const NAV_GROUPS: readonly NavGroup<NavItem>[] = [
  {
    label: null,
    items: [
      { href: '/dashboard', label: 'Overview', icon: Gauge, go: 'o', pinned: true, scoped: true },
      { href: '/dashboard/playground', label: 'Playground', icon: FlaskConical, go: 'p', scoped: true },
      { href: '/dashboard/usage', label: 'Usage', icon: Activity, go: 'u', pinned: true, scoped: true },
      { href: '/dashboard/jobs', label: 'Jobs', icon: ListChecks, go: 'j' },
      { href: '/dashboard/assets', label: 'Assets', icon: FolderOpen, go: 'a' },
    ],
  },
  {
    label: 'Access and money',
    items: [
      { href: '/dashboard/keys', label: 'Keys', icon: KeyRound, go: 'k', pinned: true, scoped: true },
      { href: '/dashboard/billing', label: 'Billing', icon: Wallet, go: 'b', pinned: true, scoped: true },
      { href: '/dashboard/provider-keys', label: 'Provider keys', icon: Plug, go: 'v' },
      { href: '/dashboard/webhooks', label: 'Webhooks', icon: Webhook, go: 'w' },
      { href: '/dashboard/team', label: 'Team', icon: Users, go: 't' },
    ],
  },
  {
    label: 'Tools and you',
    items: [
      { href: '/tools', label: 'Catalogue', icon: Wrench, go: 'c' },
      { href: '/dashboard/reviews', label: 'Reviews', icon: Star, go: 'r' },
      { href: '/dashboard/settings', label: 'Settings', icon: Settings, go: 's' },
    ],
  },
];

export const NAV_ITEMS: readonly NavItem[] = NAV_GROUPS.flatMap((group) => group.items);

/** The groups that a person sees: an operator has one more. */
export function listNavGroups(isOperator: boolean): readonly NavGroup<Place>[] {
  const operator: Place = { href: '/operator', label: 'Operator', icon: ShieldCheck };
  return isOperator ? [...NAV_GROUPS, { label: 'This gateway', items: [operator] }] : NAV_GROUPS;
}

/** Whether a path is within the page; the overview matches only itself. */
export function isActive(href: string, pathname: string): boolean {
  return href === '/dashboard' ? pathname === href : pathname === href || pathname.startsWith(`${href}/`);
}
