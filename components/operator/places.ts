import {
  Activity,
  Gauge,
  type IconComponent,
  Layers,
  ListChecks,
  Scale,
  ScrollText,
  TicketPercent,
  UserPlus,
  Users,
  Webhook,
  Wrench,
} from '../ui/icons';

interface Place {
  href: string;
  label: string;
  icon: IconComponent;
}

/** The operator's pages, in the order of the sidebar. */
export const PLACES: readonly Place[] = [
  { href: '/operator', label: 'Overview', icon: Gauge },
  { href: '/operator/accounts', label: 'Accounts', icon: Users },
  { href: '/operator/tools', label: 'Tools', icon: Wrench },
  { href: '/operator/jobs', label: 'Jobs', icon: ListChecks },
  { href: '/operator/webhooks', label: 'Webhooks', icon: Webhook },
  { href: '/operator/plans', label: 'Plans', icon: Layers },
  { href: '/operator/promos', label: 'Promo codes', icon: TicketPercent },
  { href: '/operator/sign-up', label: 'Sign-up', icon: UserPlus },
  { href: '/operator/reconcile', label: 'Reconcile', icon: Scale },
  { href: '/operator/status', label: 'Status', icon: Activity },
  { href: '/operator/audit', label: 'Audit', icon: ScrollText },
];
