export interface NavLink {
  href: string;
  label: string;
  /** Not a page of the app: needs a full page load. */
  plain?: boolean;
}

/** The navigation of the public pages. */
export const SITE_LINKS: readonly NavLink[] = [
  { href: '/tools', label: 'Catalogue' },
  { href: '/pricing', label: 'Pricing' },
  { href: '/docs', label: 'Docs' },
];
