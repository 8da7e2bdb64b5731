'use client';

import { usePathname } from 'next/navigation';
import { cn } from '../ui/cn';
import { IntentLink } from '../ui/intent-link';
import type { NavLink } from './nav-links';

interface SiteLinkProps extends NavLink {
  className?: string;
}

/** A navigation link that marks the current page. */
export function SiteLink({ href, label, plain, className }: SiteLinkProps) {
  const pathname = usePathname();
  const here = pathname === href || pathname.startsWith(`${href}/`);
  const classes = cn(
    'rounded-sm py-1 text-sm hover:text-ink',
    here ? 'font-medium text-ink' : 'text-muted',
    className,
  );
  if (plain)
    return (
      <a href={href} className={classes}>
        {label}
      </a>
    );
  return (
    <IntentLink href={href} aria-current={here ? 'page' : undefined} className={classes}>
      {label}
    </IntentLink>
  );
}
