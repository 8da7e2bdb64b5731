import { withBilling } from '../shared/account-path';
import { NAV_ITEMS } from '../shared/nav-items';
import {
  CalendarDays,
  CircleAlert,
  Copy,
  CreditCard,
  type IconComponent,
  KeyRound,
  Monitor,
  Moon,
  Search,
  Sun,
  Upload,
  UserPlus,
  Users,
} from '../ui/icons';
import type { RecentPlace } from './recent';

/** The actions of palette entries, besides navigation. */
export type PaletteAct =
  | { kind: 'go'; href: string }
  | { kind: 'theme'; theme: 'system' | 'light' | 'dark' }
  | { kind: 'copy-base-url' }
  | { kind: 'help' }
  | { kind: 'sign-out' };

export interface Entry {
  /** Unique among all entries. */
  id: string;
  label: string;
  /** Additional search words. */
  words?: string | undefined;
  /** A muted note after the label. */
  note?: string;
  /** The equivalent keyboard shortcut. */
  keys?: readonly string[];
  icon: IconComponent;
  act: PaletteAct;
  /** The action of Enter with Control or Command. */
  otherAct?: PaletteAct;
  /** How to show the entry under Recent; only for places worth revisiting. */
  recent?: RecentPlace;
}

const PAGE_WORDS: Record<string, string> = {
  '/dashboard': 'home start dashboard balance',
  '/dashboard/playground': 'try run call test',
  '/dashboard/usage': 'activity spend history calls cost csv chart',
  '/dashboard/jobs': 'running queue progress',
  '/dashboard/assets': 'files uploads images',
  '/dashboard/keys': 'api access secrets',
  '/dashboard/billing':
    'money credit statement receipts invoices vat company card auto-recharge limit payments',
  '/dashboard/provider-keys': 'byok own openai credentials',
  '/dashboard/team': 'members people invite',
  '/tools': 'tools search skills',
  '/dashboard/reviews': 'ratings stars',
  '/dashboard/settings': 'profile sessions theme delete account name',
};

/** The pages, for the selected account. */
export function pageEntries(slug: string | null): Entry[] {
  return NAV_ITEMS.map((item) => ({
    id: `page:${item.href}`,
    label: item.label,
    words: PAGE_WORDS[item.href],
    keys: ['G', item.go.toUpperCase()],
    icon: item.icon,
    act: { kind: 'go', href: item.scoped ? withBilling(item.href, slug) : item.href },
  }));
}

/** The actions available on every page. */
export function actionEntries(slug: string | null): Entry[] {
  const go = (href: string) => ({ kind: 'go', href }) as const;
  const theme = (name: 'system' | 'light' | 'dark', label: string, icon: IconComponent): Entry => ({
    id: `theme:${name}`,
    label: `Theme: ${label}`,
    words: 'switch appearance mode colour color',
    icon,
    act: { kind: 'theme', theme: name },
  });
  return [
    {
      id: 'create-key',
      label: 'Create a key',
      words: 'new api make',
      icon: KeyRound,
      act: go('/dashboard/keys?create=1'),
    },
    {
      id: 'buy-credit',
      label: 'Buy credit',
      words: 'top up add money pay',
      icon: CreditCard,
      act: go(withBilling('/dashboard/billing', slug)),
    },
    {
      id: 'yesterday',
      label: 'Usage yesterday',
      words: 'day before spend cost calls report utc',
      icon: CalendarDays,
      act: go(withBilling('/dashboard/usage?period=yesterday', slug)),
    },
    {
      id: 'errors',
      label: 'Errors by tool and code',
      words: 'failed calls failures why usage',
      icon: CircleAlert,
      act: go(withBilling('/dashboard/usage/errors', slug)),
    },
    {
      id: 'refused',
      label: 'Refused calls',
      words: 'blocked limit reached denied why usage',
      icon: CircleAlert,
      act: go(withBilling('/dashboard/usage/refused', slug)),
    },
    {
      id: 'upload',
      label: 'Upload a file',
      words: 'asset add',
      icon: Upload,
      act: go('/dashboard/assets'),
    },
    slug === null
      ? {
          id: 'make-team',
          label: 'Create a team',
          words: 'new make invite',
          icon: Users,
          act: go('/dashboard/team?create=1'),
        }
      : {
          id: 'invite',
          label: 'Invite someone',
          words: 'team member add',
          icon: UserPlus,
          act: go(`/dashboard/team/${encodeURIComponent(slug)}?invite=1`),
        },
    {
      id: 'copy-base-url',
      label: 'Copy the base URL',
      words: 'address endpoint api',
      icon: Copy,
      act: { kind: 'copy-base-url' },
    },
    theme('light', 'light', Sun),
    theme('dark', 'dark', Moon),
    theme('system', 'system', Monitor),
  ];
}

const ID_PLACES: Record<string, { noun: string; href: (id: string, slug: string | null) => string }> = {
  // Of a refused call it is the only id.
  req: {
    noun: 'calls of request',
    href: (id, slug) => `${withBilling(`/dashboard/usage?request=${id}`, slug)}#calls`,
  },
  call: { noun: 'call', href: (id) => `/dashboard/usage?call=${id}` },
  job: { noun: 'job', href: (id) => `/dashboard/jobs?job=${id}` },
  key: { noun: 'key', href: (id) => `/dashboard/keys/${id}` },
  asset: { noun: 'asset', href: (id) => `/assets/${id}` },
};

/** Resolves an id pasted from a log to its page; a request to its calls in the selected account. */
export function idEntry(text: string, slug: string | null): Entry | null {
  const [id = '', kind = ''] = /^([a-z]+)_[0-9a-z]{20,60}$/.exec(text.trim()) ?? [];
  const place = ID_PLACES[kind];
  if (!place) return null;
  return {
    id: `id:${id}`,
    label: `Open ${place.noun} ${id}`,
    icon: Search,
    act: { kind: 'go', href: place.href(id, slug) },
  };
}
