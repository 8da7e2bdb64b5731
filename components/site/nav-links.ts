export interface NavLink {
  href: string;
  label: string;
  /** Not a page of the app: a full load. */
  plain?: boolean;
}

/** The navigation of the public pages. */
export const SITE_LINKS: readonly NavLink[] = [
  { href: '/tools', label: 'Catalogue' },
  { href: '/docs', label: 'Docs' },
];
